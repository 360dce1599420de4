-- The progress of visits through the steps of a funnel, from files.

-- name: progress
with passage as materialized (
    select here.step, here.key, later."at" - here."at" as between, later.who is null and here.step < $last as has_left
    from taken as here
    left join taken as later on later.who = here.who and later.step = here.step + 1
),
placed as materialized (
    select passage.step, passage.key, any_value(session_id) as session_id
    from passage
    join step_hit using (key)
    where has_left
    group by passage.step, passage.key
),
followed as (
    select placed.key, arg_min(view.pathname, view.key) as pathname
    from placed
    join (
        select session_id, coalesce(pathname, '') as pathname, key_of(occurred_at, position) as key
        from hit
        where type = 'pageview' and occurred_at >= $start and occurred_at < $end
    ) as view on view.session_id = placed.session_id and view.key > placed.key
    group by placed.key
),
went as (
    select step, followed.pathname as path
    from placed
    left join followed using (key)
),
ranked as (
    select
        step, path, count(*) as count,
        row_number() over (partition by step, path is null order by count(*) desc, path) as place
    from went
    group by step, path
)
select step, true as has_left, path, count, null::bigint as median from ranked where place <= $most
union all
select step, false, null, count(key), quantile_disc(between, 0.5)
from (select unnest(range($last + 1)) as step) as step
left join passage using (step)
group by step
