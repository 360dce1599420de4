-- erase_conversion_days
delete from conversion_day
where site_id = %(site_id)s and number = any(array(select number from goal_version where site_id = %(site_id)s))
    and day = %(since)s::timestamptz
