-- see
-- A transaction sees a database as it was when it looked at it first.
select session_id from {name}_session limit 0
