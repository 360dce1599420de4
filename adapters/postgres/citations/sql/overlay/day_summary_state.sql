-- day_summary_state
-- The rows of changed days answer for them.
select * from {schema}.day_summary_state
where site_id = {site_id} and day < day_of({later_since}) and day not in (select day from changed_day)
