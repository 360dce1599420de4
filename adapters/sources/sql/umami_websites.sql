-- umami_websites
select website_id::text, name from website where deleted_at is null order by name, website_id limit %(most)s
