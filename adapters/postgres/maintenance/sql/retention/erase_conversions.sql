-- erase_conversions
delete from conversion
where ctid = any(array(
    select ctid from conversion where site_id = %(site_id)s and ended_at < %(before)s limit %(limit)s
))
