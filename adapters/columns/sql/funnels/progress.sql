-- progress
-- Keys put hits in the order of their times and, at one time, of their positions. What follows hits of rows is known with them:
-- the files hold outdated hits of sessions that have changed.
with rest as (
    select
        unnest(one.step) as step, unnest(one.session) as session_id, unnest(one.visitor) as visitor_id,
        unnest(one."at") as "at", unnest(one.position) as position, unnest(one.next) as next
    from (
        select from_json(
            $rest,
            '{{"step":["INTEGER"],"session":["BIGINT"],"visitor":["BIGINT"],"at":["BIGINT"],"position":["BIGINT"],"next":["VARCHAR"]}}'
        ) as one
    )
),
step_hit as materialized (
    select *
    from (
        select
            session_id, visitor_id, epoch_us(occurred_at) as "at", {key_of_hit} as key, {flags},
            false as uncovered, null::varchar as next
        from ({hits}) as hit
    ) as hit
    where {any_flag}
    union all
    select session_id, visitor_id, "at", "at"::hugeint * 9223372036854775808 + position, {flags_of_rest}, true, next
    from rest
),
{taken},
dropped as ({dropped}),
placed as materialized (
    select
        dropped.step, dropped.key, any_value(session_id) as session_id, bool_or(uncovered) as uncovered,
        any_value(next) as next
    from dropped
    join step_hit using (key)
    group by dropped.step, dropped.key
),
followed as (
    select placed.key, arg_min(view.pathname, view.key) as pathname
    from placed
    join (
        select session_id, coalesce(pathname, '') as pathname, {key_of_hit} as key
        from read_parquet($hit_files)
        where type = 'pageview' and occurred_at >= $start and occurred_at < $end
    ) as view on view.session_id = placed.session_id and view.key > placed.key
    where not uncovered
    group by placed.key
),
went as (
    select step, case when uncovered then next else followed.pathname end as path
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
