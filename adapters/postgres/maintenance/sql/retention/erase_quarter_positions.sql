-- erase_quarter_positions
-- The quarter of the cutoff can have later hits.
delete from quarter_position where site_id = %(site_id)s and quarter < bucket_of(%(before)s)
