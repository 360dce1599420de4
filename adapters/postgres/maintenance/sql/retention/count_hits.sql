-- count_hits
select count(*) as hits from hit where site_id = %(site_id)s and occurred_at < %(before)s
