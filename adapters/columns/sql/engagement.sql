-- What was reported of pages, up to a position: an earlier state of files and fresh rows.

-- name: hits_at
select * replace (
    engaged_at(measures, $measured_up_to)::integer as engaged_ms, scrolled_at(measures, $measured_up_to)::smallint as scroll_percent
)
from hits

-- name: sessions_at
-- Tells what was known of the sessions of an earlier state: their rows tell what is known now.
select * exclude (engaged_ms, engaged_pageviews), engaged.engaged_ms, engaged.engaged_pageviews
from sessions
left join (
    select session_id, sum(engaged_ms)::bigint as engaged_ms, count(engaged_ms) as engaged_pageviews
    from (
        select session_id, engaged_at(measures, $measured_up_to) as engaged_ms
        from hit
        where type = 'pageview' and engaged_ms is not null
    )
    where engaged_ms is not null
    group by session_id
) as engaged using (session_id)
