-- Conditions and sources that reports on files share.

-- name: referrer_host
-- As domain/tracking/acquisition/referrer.py has it. The plan of an expression of DuckDB costs more than hundreds of values:
-- one regular expression is planned in a seventh of the time that several cuts take.
coalesce(
    nullif(
        regexp_extract(
            translate(
                case when strpos({text}, '://') > 0 then split_part({text}, '://', 2) else {text} end,
                'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'
            ),
            '^(?:www[.])?([^/?#]*)', 1
        ),
        ''
    ),
    {text}
)

-- name: by_bot
-- As domain/bots/bots.py has it. Nearly all visits are of persons: the branches are looked at for bots alone.
case when {bot} is null then null else case {branches} else {otherwise} end end

-- name: of_bots
when {bot} in ({names}) then {value}

-- name: screen_class
-- As domain/tracking/screen.py has it.
case when {width} > 0 then case {below} else {widest} end end

-- name: property_text
-- As `property_text` in domain/goals/matching.py has it.
case one.kind when 'number' then one.decimal when 'string' then one.text when 'boolean' then one.text end

-- name: query_parameter
-- As domain/tracking/acquisition/query_parameters.py has it. Most query strings have no such text, and are not taken apart.
case when strpos({text}, {key}) > 0 or strpos({text}, '%') > 0 or strpos({text}, '+') > 0 then
    list_transform(
        list_filter(
            list_transform(
                string_split(regexp_replace({text}, '^[?]', ''), '&'),
                lambda pair: struct_pack(
                    name := split_part(pair, '=', 1), value := substr(pair, strpos(pair || '=', '=') + 1)
                )
            ),
            lambda one: one.name <> '' and {name} = {key}
        ),
        lambda one: {value}
    )[1]
end

-- name: query_that
-- Each query string is taken apart once: a condition that needs their counts is not moved to the hits. Out of a materialized
-- part they would come one by one, which takes four times as long.
querystring in (
    select querystring
    from (select querystring, count(*) as hits from hit where type = 'pageview' and {among} group by querystring) as written
    where case when hits > 0 then {comparison} end
)

-- name: decoded
case
    when strpos({text}, '%') = 0 and strpos({text}, '+') = 0 then {text}
    when coalesce(strpos(try(url_decode(replace({text}, '+', ' '))), chr(0)) = 0, false)
        then url_decode(replace({text}, '+', ' '))
    else {text}
end

-- name: sessions
-- The sessions that a report is about. Consecutive hits of a session are at most 30 minutes apart: one that
-- spans a period of 30 minutes or more has hits in it.
select *
from session
where started_at < $end and ended_at >= $start and {conditions}

-- name: sessions_of_rules
-- Those that standing exclusions leave out.
select session_id from session where {conditions}

-- name: hits
-- The hits in the period of the sessions that a report is about.
select *
from hit
where occurred_at >= $start and occurred_at < $end and {of_type} and {conditions}

-- name: sessions_of_all_time
select *
from session
where {conditions}

-- name: hits_of_all_time
select *
from hit
where {of_type} and {conditions}

-- name: hits_of_session
(pageviews + custom_events + performance_measures + outbound_clicks + errors)::varchar

-- name: of_sessions_that
session_id in (select session_id from session where {comparison})

-- name: path_that
pathname in (
    select pathname
    from (select distinct pathname from hit where type = 'pageview') as path
    where {condition}
)

-- name: grouped
select source.* replace (coalesce(grouped.name, source.{column}) as {column})
from ({source}) as source
left join ({groups}) as grouped on grouped.path = source.{column}

-- name: groups
-- The first pattern that a path matches is that of its group.
select path, name
from (
    select pathname as path, case {branches} end as name
    from (select distinct pathname from hit where pathname is not null and {of_hits}) as path
) as path
where name is not null

-- name: of_group
when {condition} then {name}

-- name: first_of_group
case {branches} else false end

-- name: in_groups
coalesce({path} in (select path from ({groups}) as grouped where name in ({names})), false)

-- name: every_row
true

-- name: containing
-- Most values are told by a comparison that takes a third of the time: it is of lower case in every script, and the text is in the
-- lower case of ASCII, so that it misses none.
(contains(lower({searched}), lower($folded)) and regexp_matches({searched}, $containing))

-- name: matched
select session_id
from hit
where occurred_at >= $start and occurred_at < $end and {condition}

-- name: with_hits_inside
session_id in (select session_id from hit where occurred_at >= $start and occurred_at < $end)

-- name: with_hits_that
session_id in (
    select session_id
    from hit
    where {near_period} and {comparison}
)

-- name: near_period
-- The hits of a session in the period lie at most 24 hours around it.
occurred_at >= $start - interval '24 hours' and occurred_at < $end + interval '24 hours'

-- name: ended_with
-- The sessions whose way through the steps of a funnel ends with one of them.
with step_hit as materialized (
    select *
    from (
        select session_id, {key_of_hit} as key, {flags}
        from hit
        where occurred_at >= $start and occurred_at < $end and type in ('pageview', 'custom_event')
    ) as hit
    where {any_flag}
),
{taken}
{ended}

-- name: taken_first
taken_0 as (select session_id, min(key) as key from step_hit where step_0 group by session_id)

-- name: taken_next
taken_{step} as (
    select session_id, min(hit.key) as key
    from taken_{before} as before
    join step_hit as hit using (session_id)
    where hit.step_{step} and hit.key > before.key
    group by session_id
)

-- name: ended_before
select session_id from taken_{here} anti join taken_{later} using (session_id)

-- name: ended_last
select session_id from taken_{here}
