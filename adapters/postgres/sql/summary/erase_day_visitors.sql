-- erase_day_visitors
delete from day_visitors where site_id = %(site_id)s and day = %(day)s
