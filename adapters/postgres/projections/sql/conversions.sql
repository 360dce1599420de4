-- Conversions: those of a slice, those of the past of a new goal, and those of a goal that is gone.

-- name: collect_conversion_delta
-- Most sessions begin with the slice: these have no conversions yet. Those whose hits are not in it, as when sessions are joined
-- or the past of a goal is counted, are not in `session_delta`.
insert into conversion_delta
select
    site_id, session_id, matches.number,
    least(matches.first_at, was.first_at), greatest(matches.last_at, was.last_at), coalesce(delta.ended_at, own.ended_at),
    was.first_at, was.last_at
from (
    select site_id, session_id, number, min(first_at) as first_at, max(last_at) as last_at
    from matches
    group by session_id, number, site_id
) as matches
left join session_delta as delta using (site_id, session_id)
left join lateral (
    select ended_at
    from session
    where delta.session_id is null and session.site_id = matches.site_id and session.session_id = matches.session_id
    limit 1
) as own on true
left join lateral (
    select first_at, last_at
    from conversion
    where (delta.session_id is null or delta.was_started_at is not null)
        and conversion.site_id = matches.site_id and conversion.session_id = matches.session_id
        and conversion.number = matches.number
    limit 1
) as was on true

-- name: write_conversions
-- Nearly all are new, which needs no look for an earlier row. They come in the order of the key.
insert into conversion (site_id, session_id, number, first_at, last_at, ended_at)
select site_id, session_id, number, first_at, last_at, ended_at
from conversion_delta
where first_at is not null and was_first_at is null
order by site_id, session_id, number

-- name: change_conversions
insert into conversion (site_id, session_id, number, first_at, last_at, ended_at)
select site_id, session_id, number, first_at, last_at, ended_at
from conversion_delta
where first_at is not null and was_first_at is not null and (first_at, last_at) is distinct from (was_first_at, was_last_at)
on conflict (site_id, session_id, number) do update set
    first_at = excluded.first_at, last_at = excluded.last_at, ended_at = excluded.ended_at

-- name: write_conversion_buckets
insert into conversion_bucket as kept (site_id, number, bucket, conversions, open_at_start)
with span as (
    select site_id, number, 1 as sign, first_at, last_at from conversion_delta where first_at is not null
    union all
    select site_id, number, -1, was_first_at, was_last_at from conversion_delta where was_first_at is not null
),
change as (
    select site_id, number, bucket_of(first_at) as bucket, sign as conversions, 0 as open_at_start from span
    union all
    select site_id, number, bucket, 0, sign
    from span
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where last_at >= bucket_of(first_at) + interval '15 minutes'
)
select site_id, number, bucket, sum(conversions), sum(open_at_start)
from change
group by site_id, number, bucket
having sum(conversions) <> 0 or sum(open_at_start) <> 0
on conflict (site_id, number, bucket) do update set
    conversions = kept.conversions + excluded.conversions, open_at_start = kept.open_at_start + excluded.open_at_start

-- name: write_conversion_days
-- A session lasts at most a day, so it is open at the start of one other day at most.
insert into conversion_day as kept (site_id, number, day, conversions, open_at_start)
with span as (
    select site_id, number, 1 as sign, first_at, last_at from conversion_delta where first_at is not null
    union all
    select site_id, number, -1, was_first_at, was_last_at from conversion_delta where was_first_at is not null
),
change as (
    select site_id, number, day_of(first_at) as day, sign as conversions, 0 as open_at_start from span
    union all
    select site_id, number, day_of(last_at), 0, sign from span where day_of(last_at) > day_of(first_at)
)
select site_id, number, day, sum(conversions), sum(open_at_start)
from change
group by site_id, number, day
having sum(conversions) <> 0 or sum(open_at_start) <> 0
on conflict (site_id, number, day) do update set
    conversions = kept.conversions + excluded.conversions, open_at_start = kept.open_at_start + excluded.open_at_start

-- name: next_fill
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

-- name: take_history
insert into slice (session_id, position, site_id, visitor_id, occurred_at, type, pathname, event_name, properties)
select
    session.session_id, position, hit.site_id, hit.visitor_id, occurred_at, type, pathname, event_name, properties
from (
    select *
    from hit
    where hit.site_id = %(site_id)s
        and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        and position <= %(position)s
        and type in ('pageview', 'custom_event')
    -- Planned for itself.
    offset 0
) as hit
cross join lateral (
    select session_id
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as session

-- name: move_fill
update goal_version
set fill_from = nullif(%(until)s::timestamptz, 'infinity')
where number = any(%(numbers)s) and set_aside is null

-- name: forget_conversions
delete from conversion
where ctid = any(array(
    select conversion.ctid
    from (select * from retired_goal_version order by number limit 1) as retired
    join conversion on conversion.site_id = retired.site_id and conversion.number = retired.number
    limit %(size)s
))

-- name: forget_goal_version
with retired as (
    delete from retired_goal_version
    where number = (select min(number) from retired_goal_version)
    returning number, site_id
),
days as (
    delete from conversion_day
    using retired
    where conversion_day.site_id = retired.site_id and conversion_day.number = retired.number
)
delete from conversion_bucket
using retired
where conversion_bucket.site_id = retired.site_id and conversion_bucket.number = retired.number
