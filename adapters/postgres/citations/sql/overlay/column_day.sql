-- column_day
-- The files of the day from a quarter of which on all hits are later hold too much.
select * from {schema}.column_day where site_id = {site_id} and day < day_of({later_since})
