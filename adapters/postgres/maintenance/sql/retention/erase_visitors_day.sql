-- erase_visitors_day
delete from visitors_day where site_id = %(site_id)s and day < %(before)s
