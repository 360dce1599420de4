-- The progress of visits through the steps of a funnel, from files.

-- name: progress
with step_hit as materialized (
    select *
    from (
        select
            session_id, counted_visitor, epoch_us(occurred_at) as "at", {key_of_hit} as key, {flags}
        from ({hits}) as hit
    ) as hit
    where {any_flag}
),
{taken},
dropped as ({dropped}),
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
        select session_id, coalesce(pathname, '') as pathname, {key_of_hit} as key
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
select step, true as dropped, path, count, null::bigint as median from ranked where place <= {most}
union all
{reached}

-- name: key_of_hit
-- It puts hits in the order of their times and, at one time, of their positions.
epoch_us(occurred_at)::hugeint * 9223372036854775808 + position

-- name: in_time
hit."at" <= entered_at + $within

-- name: entry
taken_0 as materialized (
    select {who} as who, min(key) as key, min("at") as "at", min("at") as entered_at from step_hit where step_0 group by 1
)

-- name: dropped
select {step} as step, key from {here} anti join {later} using (who)

-- name: reached
select
    {step}, false, null, count(*), quantile_disc({later}."at" - {here}."at", 0.5)
from {here}
left join {later} using (who)

-- name: taken
{here} as materialized (
    select who, min(hit.key) as key, min(hit."at") as "at", any_value(entered_at) as entered_at
    from {before} as before
    join step_hit as hit on hit.{who} = before.who
    where hit.{flag} and hit.key > before.key and {in_time}
    group by who
)

-- name: reached_last
select {step}, false, null, count(*), null from {here}
