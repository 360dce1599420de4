-- dropped
select {step}::integer as step, session_id, occurred_at, position
from {here} as taken
where not exists (select from {later} as later where later.who = taken.who)
