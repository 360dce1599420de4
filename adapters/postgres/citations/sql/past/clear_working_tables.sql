-- clear_working_tables
-- What only a replay itself needs.
truncate later_slice, slice, session_delta, matches, conversion_delta, pg_temp.session, pg_temp.conversion
