-- Conditions and sources that reports share.

-- name: selected
select session.*
from session
where session.site_id = %(site_id)s and {conditions}

-- name: referrer_host
-- As domain/tracking/acquisition/referrer.py has it.
coalesce(
    nullif(
        regexp_replace(
            translate(
                split_part(
                    split_part(
                        split_part(
                            case
                                when strpos(session.referrer, '://') > 0 then split_part(session.referrer, '://', 2)
                                else session.referrer
                            end,
                            '/', 1
                        ),
                        '?', 1
                    ),
                    '#', 1
                ),
                'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'
            ),
            '^www[.]', ''
        ),
        ''
    ),
    session.referrer,
    ''
)

-- name: bot_operator
-- As domain/bots/bot_names.py has it: of the bots that are known.
coalesce(%(bot_operators)s::jsonb ->> session.bot, '')

-- name: bot_purpose
case when session.bot is null then '' else coalesce(%(bot_purposes)s::jsonb ->> session.bot, 'other') end

-- name: text
coalesce({column}, '')

-- name: spanning
-- Consecutive hits of a session are at most 30 minutes apart: one that spans a period of 30 minutes or more has hits in it.
started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(end)s and ended_at >= %(start)s

-- name: every_row
true

-- name: inside
occurred_at >= %(start)s and occurred_at < %(end)s

-- name: session_of_hit
-- A hit belongs to its visitor's latest session that starts at or before its time.
cross join lateral (
    select session_id
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as its

-- name: projected_hit
-- Hits stored since the checkpoint have no sessions yet. The condition, also where it stands elsewhere, excludes next to none: the
-- sum keeps the planner from using the index on the position for it.
select * from hit where hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')

-- name: hit_inside
-- views: projected_hit
select * from projected_hit where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s

-- name: with_goals
-- The sessions that reached one of some goals in the period: those of goals with complete conversions are read, those of other
-- goals are found by their rules, and no hit is read when no rule needs it.
session_id in (
    with complete as materialized (
        select version, number
        from goal_version
        where site_id = %(site_id)s and version = any({versions}::bigint[]) and fill_from is null and set_aside is null
    ),
    asked as materialized (
        select *
        from jsonb_to_recordset((
            select coalesce(jsonb_agg(rule), '[]')
            from jsonb_array_elements({rules}) as rule
            where coalesce((rule ->> 'version')::bigint not in (select version from complete), true)
        )) as asked ({rule_columns})
    ),
    {matches}
    select session_id
    from conversion
    where site_id = %(site_id)s and number in (select number from complete)
        and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
    union all
    select distinct its.session_id
    from match as hit
    {session_of_hit}
)

-- name: rule_columns
-- `step` is the number of the rule in a funnel, `paths` are those of a group of pages.
step integer, path_equals text, path_prefix text, path_regex text, event_name text, property_key text, property_value text,
property_decimal text, paths text[]

-- name: matches
-- The hits inside that match one of the rules that are asked. Each path is compared once, rule by rule: PostgreSQL remembers only the
-- last few regular expressions that it has prepared.
inside as materialized (
    select site_id, visitor_id, occurred_at, position, type, pathname, event_name, properties
    from hit
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')
        and type in ('pageview', 'custom_event') and exists (select from asked)
),
path as materialized (
    select distinct pathname from inside where type = 'pageview' and pathname is not null
),
matching_path as materialized (
    select asked.step, path.pathname, property_key, property_value, property_decimal
    from asked
    cross join lateral (
        select pathname
        from path
        where path_matches(path_equals, path_prefix, path_regex, pathname) or pathname = any(asked.paths)
        offset 0
    ) as path
    where asked.event_name is null
),
match as (
    select step, site_id, visitor_id, occurred_at, position
    from inside
    join matching_path using (pathname)
    where type = 'pageview'
        and (property_key is null or property_equals(properties -> property_key, property_value, property_decimal))
    union all
    select step, site_id, visitor_id, occurred_at, position
    from inside
    join asked using (event_name)
    where type = 'custom_event'
        and (property_key is null or property_equals(properties -> property_key, property_value, property_decimal))
)

-- name: ended_with
-- The sessions whose way through the steps of a funnel, in the period, ends with one of them. The way is written with the numbers
-- of the steps that each hit matches, such as 0,02,1, and compared as a text: joins from step to step would be nested loops, since
-- their rows cannot be estimated.
session_id in (
    with asked as materialized (
        select *
        from jsonb_to_recordset({rules}) as asked ({rule_columns})
    ),
    {matches},
    step_hit as (
        select its.session_id, occurred_at, position, string_agg(step::text, '') as steps
        from match as hit
        {session_of_hit}
        group by its.session_id, occurred_at, position
    ),
    way as (
        select session_id, string_agg(steps, ',' order by occurred_at, position) as steps
        from step_hit
        group by session_id
    )
    select session_id
    from way
    where steps like {taken} and ({later}::text is null or steps not like {later})
)

-- name: with_hits_that
-- A session that spans the period has hits at most 24 hours around it.
session_id in (
    select its.session_id
    from hit {session_of_hit}
    where hit.site_id = %(site_id)s and hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')
        and occurred_at >= %(start)s::timestamptz - interval '24 hours'
        and occurred_at < %(end)s::timestamptz + interval '24 hours'
        and {comparison}
)

-- name: of_types
hit.type in ({types})

-- name: text_of_property
-- As `property_text` in domain/goals/matching.py has it; null for other values, and without such a property.
case jsonb_typeof(hit.properties -> {key})
    when 'number' then decimal_of(hit.properties -> {key})
    when 'string' then hit.properties ->> {key}
    when 'boolean' then hit.properties ->> {key}
end

-- name: property_that
exists (
    select
    from unnest({texts}::text[], {decimals}::text[]) as given (text, decimal)
    where property_equals(hit.properties -> {key}, given.text, given.decimal)
)

-- name: text_of_query
query_parameter(hit.querystring, {key})

-- name: screen_class
-- As domain/tracking/screen.py has it.
case when hit.screen_width > 0
    then (%(screen_classes)s::text[])[width_bucket(hit.screen_width, %(screen_widths)s::double precision[]) + 1]
    else ''
end

-- name: visitor
coalesce(session.user_id, lpad(to_hex(session.visitor_id), 16, '0'))

-- name: hits_of_session
(session.pageviews + session.custom_events + session.performance_measures + session.outbound_clicks + session.errors)::text

-- name: compares
({text} {operator} any({values}::text[]))

-- name: values
-- views: source
-- The different values of some rows; one beyond the limit tells that there are too many.
select value, bytes
from (
    select value, sum(octet_length(value) + 8) over (rows unbounded preceding) as bytes
    from (select distinct {text} as value from source as {table} where {comparison}) as different
    where value is not null
) as counted
where bytes - octet_length(value) - 8 <= %(most_bytes)s

-- name: hits_around
-- A session that spans the period has hits at most 24 hours around it.
select *
from hit
where site_id = %(site_id)s and position + 0 <= (select position from projection_checkpoint where name = 'reports')
    and occurred_at >= %(start)s::timestamptz - interval '24 hours' and occurred_at < %(end)s::timestamptz + interval '24 hours'
