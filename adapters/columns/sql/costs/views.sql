-- views
-- The first views of some pages in the sessions that started in the period, as sessions that had not converted by then.
with selected as (select * from ({sessions}) as session where started_at >= $start),
view as (
    select session_id, coalesce(pathname, '') as page, min(occurred_at) as seen_at
    from read_parquet($hit_files)
    where type = 'pageview' and coalesce(pathname, '') in (select unnest(from_json($pages, '["VARCHAR"]')))
    group by all
),
converted as (
    select session_id, first_at
    from (select session_id, unnest(goals) as goal, unnest(goal_first) as first_at from selected) as conversion
    where goal = $goal
)
select
    len(list_filter(from_json($deploys, '["BIGINT"]'), lambda mark: mark <= epoch_us(started_at)))::integer as stretch,
    started_at::date as day, coalesce(entry_page, '') as entry_page, device_type, page,
    count(*) filter (where first_at is null or first_at > seen_at) as sessions,
    count(*) filter (where first_at > seen_at) as converted
from view
join selected using (session_id)
left join converted using (session_id)
group by all
