-- erase_breakdown_day
delete from breakdown_day
where site_id = %(site_id)s and dimension = any(enum_range(null::breakdown_dimension)) and day < %(before)s
