-- clear_working_tables
-- What only a replay itself needs.
truncate later_hit, slice, session_delta, matches, conversion_delta, regrouped, pg_temp.session, pg_temp.conversion
