-- earlier
-- The sessions that a question about the past sees no more, and those that it sees as they were.
select
    array(select session_id from changed_session) as replaced,
    array(select session_id from past_session) as formed
