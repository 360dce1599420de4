-- Hits that were stored late.

-- name: count
-- views: arrived
-- Reads only the days of the span that have hits after the first position.
select origin, count(*) as count
from day_position as its
join arrived as hit on hit.site_id = its.site_id and occurred_at >= its.day and occurred_at < its.day + interval '24 hours'
where its.site_id = %(site_id)s and its.position > %(since)s
    and its.day > %(start)s::timestamptz - interval '24 hours' and its.day < %(end)s
    and occurred_at >= %(start)s and occurred_at < %(end)s
    and hit.position > %(since)s and hit.position <= %(until)s
group by 1

-- name: count_measures
select count(*) as count
from engagement as measure
where measure.site_id = %(site_id)s and measure.position > %(since)s and measure.position <= %(until)s
    and exists (
        select
        from (select) as one
        {pageview_of_measure}
        where hit.position <= %(until)s and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s
    )

-- name: arrived
-- Hits, and how each came.
select
    *, case
        when import_id is not null then 'imports'
        when received_at - occurred_at > interval '5 minutes' then 'late_events'
        else 'events'
    end as origin
from hit
