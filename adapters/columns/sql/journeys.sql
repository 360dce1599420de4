-- The steps of sessions after a page, an event or a goal, or before it, from files.

-- name: pages
-- Kinds are numbers in the order of their types: events, groups, pages.
select distinct 2 as kind, coalesce(pathname, '') as name
from hit
where type = 'pageview' and occurred_at >= $start and occurred_at < $end

-- name: pages_in_groups
select distinct case when grouped.name is null then 2 else 1 end as kind, coalesce(grouped.name, page.pathname, '') as name
from (
    select distinct pathname from hit where type = 'pageview' and occurred_at >= $start and occurred_at < $end
) as page
left join grouped on grouped.path = page.pathname

-- name: with_events
select * from pages
union all
select distinct 0, coalesce(event_name, '')
from hit
where type = 'custom_event' and occurred_at >= $start and occurred_at < $end

-- name: named
-- Steps are numbers: putting hits in order by texts takes nearly twice as long, and numbers in the order of texts take half of the
-- time of a log of many paths.
select kind, name, (row_number() over ())::integer as step from names

-- name: hits_in_groups
select hits.*, grouped.name as group_name
from hits
left join grouped on grouped.path = hits.pathname

-- name: step_hit_by_path
-- The hit that a journey begins at has the number 0 among the steps of its session, and as a step if it is none. Compared by their
-- paths alone, pages are found faster.
select session_id, occurred_at, position, is_step, begins, engaged_ms, scroll_percent, coalesce(name.step, 0) as step
from marked
left join name on is_step and name.name = coalesce(pathname, '')

-- name: step_hit_by_name
select session_id, occurred_at, position, is_step, begins, engaged_ms, scroll_percent, coalesce(name.step, 0) as step
from (
    select
        *, case when type = 'pageview' then 2 else 0 end as kind,
        coalesce(case when type = 'pageview' then pathname else event_name end, '') as name
    from marked
) as hit
left join name on name.kind = hit.kind and name.name = hit.name

-- name: step_hit_by_group
select session_id, occurred_at, position, is_step, begins, engaged_ms, scroll_percent, coalesce(name.step, 0) as step
from (
    select
        *, case when type <> 'pageview' then 0 when group_name is null then 2 else 1 end as kind,
        coalesce(case when type = 'pageview' then coalesce(group_name, pathname) else event_name end, '') as name
    from marked
) as hit
left join name on name.kind = hit.kind and name.name = hit.name

-- name: beginning
select session_id, min(key_of(occurred_at, position)) as key from step_hit where begins group by session_id

-- name: followed_whole
select * from step_hit

-- name: followed_after
-- From the first hit on that a journey can begin at.
select step_hit.*
from step_hit
join beginning using (session_id)
where key_of(occurred_at, position) >= beginning.key and (is_step or key_of(occurred_at, position) = beginning.key)

-- name: followed_before
select step_hit.*
from step_hit
join beginning using (session_id)
where key_of(occurred_at, position) <= beginning.key and (is_step or key_of(occurred_at, position) = beginning.key)

-- name: numbered
-- Hits that go on with a step are kept for what was reported of them: only the first one of a step takes it.
select
    session_id, step, before, takes, engaged_ms, scroll_percent,
    count(*) filter (where takes) over (partition by session_id order by place rows unbounded preceding) - $begins_at as number
from (
    select session_id, place, step, before, before is distinct from step as takes, engaged_ms, scroll_percent
    from (
        select
            session_id, step, engaged_ms, scroll_percent, lag(step) over in_order as before,
            (row_number() over in_order)::integer as place
        from followed
        window in_order as (partition by session_id order by occurred_at {order}, position {order})
    ) as followed
    where before is distinct from step or engaged_ms is not null or scroll_percent is not null
) as changed

-- name: named_step
select session_id, number, kind, name from numbered join name using (step)

-- name: ended
session_id in (select session_id from numbered group by session_id having max(number) = $ended)

-- name: sessions
-- Those that a journey begins in.
select session_id from way where number = 1 - $begins_at

-- name: most_taken
with taken as materialized (
    select number, step, count(*) as sessions
    from way
    where number > 0 and takes
    group by number, step
),
fewest as (
    select number, list_min(max(sessions, $most_names)) as sessions
    from taken
    group by number
)
-- Names decide between steps of as many sessions.
select number, step, kind, name
from (
    select
        taken.number, taken.step, name.kind, name.name,
        row_number() over (partition by taken.number order by taken.sessions desc, name.kind, name.name) as place
    from taken
    join fewest on fewest.number = taken.number and taken.sessions >= fewest.sessions
    join name on name.step = taken.step
) as ranked
where place <= $most_names

-- name: as_named
select asked.number, name.step, name.kind, name.name
from (
    select unnest(from_json($named, '[{"number": "INTEGER", "kind": "INTEGER", "name": "VARCHAR"}]'), max_depth := 2)
) as asked
join name on name.kind = asked.kind and name.name = asked.name

-- name: journeys
with counted as (
    select
        way.number, source.step as source, target.step as target, count(*) filter (where takes) as sessions,
        count(engaged_ms) as pageviews, coalesce(sum(engaged_ms), 0)::bigint as engaged_ms,
        count(scroll_percent) as scrolled, coalesce(sum(scroll_percent), 0)::bigint as scroll_percent
    from way
    left join shown as source on source.number = way.number - 1 and source.step = way.before
    left join shown as target on target.number = way.number and target.step = way.step
    where way.number > 0
    group by all
)
select
    0 as number, null as source_kind, null as source, null as target_kind, null as target, count(*) as sessions,
    0 as pageviews, 0 as engaged_ms, 0 as scrolled, 0 as scroll_percent
from way
where number = 1 - $begins_at and takes
union all
select
    counted.number, source.kind, source.name, target.kind, target.name, counted.sessions, counted.pageviews,
    counted.engaged_ms, counted.scrolled, counted.scroll_percent
from counted
left join shown as source on source.number = counted.number - 1 and source.step = counted.source
left join shown as target on target.number = counted.number and target.step = counted.target
