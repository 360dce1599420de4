-- hasten_days
-- Days that are open, or have changed, are due at once.
update column_day
set since = '-infinity', changed_at = '-infinity'
where state = 'open' or changes * 20 > sessions
