-- take_later_hits
-- The hits that are put aside, in quarters of an hour that have others, too.
insert into later_hit (position, visitor_id, occurred_at, type)
select position, visitor_id, occurred_at, type
from ({touched}) as touched
cross join lateral (
    select *
    from {schema}.hit
    where hit.site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
        and {is_aside} and position <= %(checkpoint)s
        and occurred_at >= %(since)s and occurred_at < %(until)s
    offset 0
) as hit
limit %(limit)s
