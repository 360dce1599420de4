-- latest_hit
select occurred_at from hit where site_id = %(site_id)s order by occurred_at desc limit 1
