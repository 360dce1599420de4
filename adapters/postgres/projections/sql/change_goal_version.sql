-- change_goal_version
update goal_version
set
    version = %(version)s, number = %(version)s,
    path_equals = %(path_equals)s, path_prefix = %(path_prefix)s, path_regex = %(path_regex)s,
    event_name = %(event_name)s, property_key = %(property_key)s, property_value = %(property_value)s,
    property_decimal = %(property_decimal)s,
    set_aside = null,
    fill_from = case when %(position)s > 0 then '-infinity'::timestamptz end
where goal_id = %(goal_id)s
