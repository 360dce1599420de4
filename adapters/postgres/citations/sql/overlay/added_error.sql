-- added_error
-- What later occurrences have added to the counts of messages: at their times, and at the first time of each session.
select message_id, occurred_at, 1 as occurrences, 0 as sessions from later_error
union all
select message_id, now_first_at, 0, 1 from changed_error_session where now_first_at is not null
union all
select message_id, first_at, 0, -1 from changed_error_session where first_at is not null
