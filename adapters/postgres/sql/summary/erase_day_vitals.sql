-- erase_day_vitals
delete from day_vitals where site_id = %(site_id)s and day = %(day)s
