-- erase_vitals_day
delete from vitals_day where site_id = %(site_id)s and day = %(day)s
