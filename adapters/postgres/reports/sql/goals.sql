-- Conversions of goals.

-- name: goal_states
select version, number, fill_from is null as filled, set_aside
from goal_version
where site_id = %(site_id)s and version = any(%(versions)s)

-- name: count_by_buckets
-- Whole buckets lie inside the period, and of conversions whole days inside these; the two edges are counted by rows.
with inside as (
    select
        coalesce(sum(sessions), 0) + coalesce(sum(open_at_start) filter (where bucket = %(inner_start)s), 0) as sessions,
        coalesce(sum(viewed), 0) + coalesce(sum(open_at_start_viewed) filter (where bucket = %(inner_start)s), 0) as viewed
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(inner_start)s and bucket < %(inner_end)s
),
edge as (
    select pageviews
    from session
    where %(inner_end)s::timestamptz < %(end)s::timestamptz
        and site_id = %(site_id)s and started_at >= %(inner_end)s and started_at < %(end)s
    union all
    select pageviews
    from session
    where %(start)s::timestamptz < %(inner_start)s::timestamptz
        and site_id = %(site_id)s
        and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(inner_start)s
        and ended_at >= %(start)s and ended_at < %(inner_start)s
),
at_edges as (
    select count(*) as sessions, count(*) filter (where pageviews > 0) as viewed from edge
)
select
    null as number, inside.sessions + at_edges.sessions as count, inside.viewed + at_edges.viewed as viewed
from inside, at_edges
union all
select
    number,
    (
        select coalesce(sum(conversions), 0)
        from conversion_day as kept
        where kept.site_id = %(site_id)s and kept.number = asked.number
            and day >= %(days_start)s and day < %(days_end)s
    ) + (
        select coalesce(sum(conversions), 0)
        from conversion_bucket as kept
        where kept.site_id = %(site_id)s and kept.number = asked.number
            and bucket >= %(inner_start)s and bucket < %(days_start)s
    ) + (
        select coalesce(sum(conversions), 0)
        from conversion_bucket as kept
        where kept.site_id = %(site_id)s and kept.number = asked.number
            and bucket >= %(days_end)s and bucket < %(inner_end)s
    ) + (
        select coalesce(sum(open_at_start), 0)
        from conversion_bucket as kept
        where kept.site_id = %(site_id)s and kept.number = asked.number
            and bucket = %(inner_start)s and bucket < %(inner_end)s
    ) + (
        select count(*)
        from conversion as late
        where %(inner_end)s::timestamptz < %(end)s::timestamptz
            and late.site_id = %(site_id)s and late.number = asked.number
            and ended_at >= %(inner_end)s and ended_at < %(end)s::timestamptz + interval '24 hours'
            and first_at >= %(inner_end)s and first_at < %(end)s
    ) + (
        select count(*)
        from conversion as early
        where %(start)s::timestamptz < %(inner_start)s::timestamptz
            and early.site_id = %(site_id)s and early.number = asked.number
            and ended_at >= %(start)s and ended_at < %(inner_start)s::timestamptz + interval '24 hours'
            and first_at < %(inner_start)s and last_at >= %(start)s and last_at < %(inner_start)s
    ),
    null
from unnest(%(numbers)s::bigint[]) as asked (number)

-- name: page_of_converted_sessions_containing
-- As page_of_converted_sessions; what is searched, as domain/traffic/conversion.py has it, is kept with the sessions, so each that
-- converted is looked at.
with found as materialized (
    select session.*
    from conversion
    join session using (site_id, session_id)
    where site_id = %(site_id)s and number = %(number)s
        and conversion.ended_at >= %(start)s and conversion.ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
        and exists (
            select
            from unnest(array[entry_page, exit_page, channel, browser, operating_system]) as text
            where strpos(translate(text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), %(containing)s) > 0
        )
)
select page.*, total.count as total
from (select count(*) as count from found) as total
left join lateral (
    select * from found order by ended_at desc, session_id desc limit %(limit)s offset %(offset)s
) as page on true
order by page.ended_at desc, page.session_id desc

-- name: page_of_converted_sessions
-- The period lasts a day at least: no session can convert before it and behind it.
with page as materialized (
    select session_id
    from conversion
    where site_id = %(site_id)s and number = %(number)s
        and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
    order by ended_at desc, session_id desc
    limit %(limit)s offset %(offset)s
)
select session.*
from page
join session on session.site_id = %(site_id)s and session.session_id = page.session_id
order by session.ended_at desc, session.session_id desc
