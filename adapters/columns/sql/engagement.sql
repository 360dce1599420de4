-- What was reported of pages, up to a position: an earlier state of files and fresh rows.

-- name: value_at
list_max([one.{value} for one in measures if one.position <= {up_to}]) as {value}

-- name: sessions_at
-- Of the sessions of an earlier state, whose rows tell what is known now.
select * exclude (engaged_ms, engaged_pageviews), engaged.engaged_ms, engaged.engaged_pageviews
from ({sessions}) as selected
left join (
    select session_id, sum(engaged_ms)::bigint as engaged_ms, count(engaged_ms) as engaged_pageviews
    from (select session_id, {engaged_ms} from hit where type = 'pageview' and engaged_ms is not null)
    where engaged_ms is not null
    group by session_id
) as engaged using (session_id)
