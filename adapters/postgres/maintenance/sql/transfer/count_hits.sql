-- count_hits
select count(*) as hits from hit where site_id = %(site_id)s
