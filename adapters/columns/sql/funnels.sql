-- The progress of visits through the steps of a funnel, from files.

-- name: progress
with dropped as (
    select step, key
    from taken as here
    where step < $last and not exists (
        select 1 from taken as later where later.who = here.who and later.step = here.step + 1
    )
),
placed as materialized (
    select dropped.step, dropped.key, any_value(session_id) as session_id
    from dropped
    join step_hit using (key)
    group by dropped.step, dropped.key
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
select step, false, null, count(is_taken), quantile_disc(between, 0.5)
from (select unnest(range($last + 1)) as step) as step
left join (
    select step, true as is_taken, null as between from taken
    union all
    select step - 1, null, "at" - since from taken where step > 0
) as passage using (step)
group by step

-- name: step_hit
-- The hits that match a step, and who takes it: a session, or a visitor.
select
    session_id, counted_visitor, who, epoch_us(occurred_at) as "at", key_of(occurred_at, position) as key, columns('^step_')
from compared
where true in (*columns('^step_'))

-- name: first
select 0 as step, who, min(key) as key, min("at") as "at", null::bigint as since
from step_hit
where step_0
group by who

-- name: next
-- `since` is when the step before it was taken.
select
    any_value(step) + 1 as step, who, min(matching.key) as key, min(matching."at") as "at",
    any_value(before."at") as since, any_value(until) as until
from before
join matching using (who)
where matching.key > before.key and (until is null or matching."at" <= until)
group by who

-- name: ended_before
select who from here anti join later using (who)

-- name: ended_last
select who from here
