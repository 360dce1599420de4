-- finish_erasure
update hit_erasure
set finished_at = statement_timestamp()
where site_id = %(site_id)s and reason = 'retention' and finished_at is null
