-- keep_goal_version
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
