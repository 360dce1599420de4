-- conversions
-- Sessions of each goal, and without a goal all of them and those with a pageview.
with selected as ({sessions}),
converted as (
    select unnest(goals) as goal, unnest(goal_first) as first_at, unnest(goal_last) as last_at from selected
)
select goal, count(*) as sessions, null as viewed
from converted
where goal in (select unnest(from_json($goals, '["BIGINT"]'))) and first_at < $end and last_at >= $start
group by goal
union all
select null, count(*), count(*) filter (where pageviews > 0) from selected
