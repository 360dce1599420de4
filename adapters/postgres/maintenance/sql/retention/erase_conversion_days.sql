-- erase_conversion_days
delete from conversion_day where site_id = %(site_id)s and day <= day_of(%(before)s)
