-- unclosed_days
select count(*) as days
from column_day
where site_id = %(site_id)s and day < %(over_before)s and (state <> 'closed' or store < column_store() or store > column_store())
