-- lock
-- Uploads are counted one after the other; reads and the erasure of sites go on.
select pg_advisory_xact_lock(hashtextextended('source_map', %(site_id)s))
