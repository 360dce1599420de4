-- erase_day_shares
delete from day_share
where site_id = %(site_id)s and dimension = any(enum_range(null::share_dimension)) and day < %(before)s
