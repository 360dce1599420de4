-- next_fill
-- The goal that has come the least far is next: a new one does not wait for the long past of another site.
with first as (
    select site_id, fill_from
    from goal_version
    where fill_from is not null
    order by fill_from, site_id
    limit 1
)
select
    site_id, fill_from::text as since,
    -- Up to where the next goal is waiting, so that the two go on together.
    least(
        coalesce(
            (
                select greatest(occurred_at, first.fill_from + interval '1 microsecond')
                from hit
                where hit.site_id = first.site_id and occurred_at >= first.fill_from
                order by occurred_at
                offset %(size)s
                limit 1
            ),
            'infinity'
        ),
        (
            select min(other.fill_from)
            from goal_version as other
            where other.site_id = first.site_id and other.fill_from > first.fill_from
        )
    )::text as until,
    array(
        select number
        from goal_version as same
        where same.site_id = first.site_id and same.fill_from = first.fill_from
    ) as numbers
from first
