-- rename_goal_version
update goal_version
set version = %(version)s
where goal_id = %(goal_id)s
    and (path_equals, path_prefix, path_regex, event_name, property_key, property_value, property_decimal) is not distinct from
        (%(path_equals)s::text, %(path_prefix)s::text, %(path_regex)s::text, %(event_name)s::text,
         %(property_key)s::text, %(property_value)s::text, %(property_decimal)s::text)
