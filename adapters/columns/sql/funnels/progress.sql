-- progress
-- Keys put hits in the order of their times and, at one time, of their positions.
with step_hit as materialized (
    select *
    from (
        select
            session_id, visitor_id, epoch_us(occurred_at) as "at", {key_of_hit} as key, {flags}
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
