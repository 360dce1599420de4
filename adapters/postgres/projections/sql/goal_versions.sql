-- Versions of goals, as the journal defines them.

-- name: read_goal_events
select position, stream, type, schema_version, data::text as data
from event
where position > %(after)s and position <= %(up_to)s and (type like 'goal-%%' or type = 'site-deleted')
order by position

-- name: keep_goal_version
insert into goal_version (
    goal_id, site_id, version, number,
    path_equals, path_prefix, path_regex, event_name, property_key, property_value, property_decimal, fill_from
)
values (
    %(goal_id)s, %(site_id)s, %(version)s, %(version)s,
    %(path_equals)s, %(path_prefix)s, %(path_regex)s, %(event_name)s, %(property_key)s, %(property_value)s,
    %(property_decimal)s,
    case when %(position)s > 0 then '-infinity'::timestamptz end
)

-- name: rename_goal_version
update goal_version
set version = %(version)s
where goal_id = %(goal_id)s
    and (path_equals, path_prefix, path_regex, event_name, property_key, property_value, property_decimal) is not distinct from
        (%(path_equals)s::text, %(path_prefix)s::text, %(path_regex)s::text, %(event_name)s::text,
         %(property_key)s::text, %(property_value)s::text, %(property_decimal)s::text)

-- name: retire_goal_version
insert into retired_goal_version (number, site_id)
select number, site_id from goal_version where goal_id = %(goal_id)s
-- A goal that was set aside may have been retired already.
on conflict (number) do nothing

-- name: change_goal_version
update goal_version
set
    version = %(version)s, number = %(version)s,
    path_equals = %(path_equals)s, path_prefix = %(path_prefix)s, path_regex = %(path_regex)s,
    event_name = %(event_name)s, property_key = %(property_key)s, property_value = %(property_value)s,
    property_decimal = %(property_decimal)s,
    set_aside = null,
    fill_from = case when %(position)s > 0 then '-infinity'::timestamptz end
where goal_id = %(goal_id)s

-- name: drop_goal_version
with dropped as (
    delete from goal_version
    where goal_id = %(goal_id)s or site_id = %(site_id)s
    returning number, site_id
)
insert into retired_goal_version (number, site_id)
select number, site_id from dropped
-- A goal that was set aside may have been retired already.
on conflict (number) do nothing
