-- The hits of a slice that goals match.

-- name: goals_of_slice
select number, path_regex is not null as compiled
from goal_version
where site_id in (select site_id from slice)
    and set_aside is null
    and (%(numbers)s::bigint[] is null or number = any(%(numbers)s))
order by number

-- name: hits_of_slice
select count(*) as hits from slice

-- name: match_slice
insert into matches
with goal as materialized (
    select *
    from goal_version
    where site_id in (select site_id from slice)
        and set_aside is null
        and (%(numbers)s::bigint[] is null or number = any(%(numbers)s))
),
page as materialized (
    select distinct pathname, site_id from slice where type = 'pageview' and pathname is not null
),
matching_page as materialized (
    -- Goal by goal, so that each regular expression is prepared once: PostgreSQL remembers only the last few.
    select goal.number, page.site_id, page.pathname, property_key, property_value, property_decimal
    from (select * from goal where event_name is null) as goal
    cross join lateral (
        select site_id, pathname
        from page
        where page.site_id = goal.site_id
            and path_matches(goal.path_equals, goal.path_prefix, goal.path_regex, page.pathname)
        offset 0
    ) as page
),
match as (
    select site_id, session_id, number, occurred_at
    from slice
    join matching_page using (site_id, pathname)
    where type = 'pageview'
        and (property_key is null or property_equals(properties -> property_key, property_value, property_decimal))
    union all
    select slice.site_id, session_id, number, occurred_at
    from slice
    join goal using (site_id, event_name)
    where type = 'custom_event'
        and (property_key is null or property_equals(properties -> property_key, property_value, property_decimal))
)
select site_id, session_id, number, occurred_at, occurred_at from match

-- name: set_goal_aside
with slow as (
    update goal_version
    set set_aside = %(reason)s, fill_from = null
    where number = %(number)s
    returning goal_id, number, site_id
),
retired as (
    insert into retired_goal_version (number, site_id)
    select number, site_id from slow
    on conflict (number) do nothing
)
select goal_id, site_id from slow
