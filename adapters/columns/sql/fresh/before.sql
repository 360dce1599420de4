-- before
-- Later hits were put aside, with the sessions that they changed.
anti join replaced using (session_id)
where {time} < '{until}'::timestamptz
