-- data_since
-- One look into the index of the log, or of each of its months before the first hit.
select occurred_at as since
from {log} as hit
where hit.site_id = %(site_id)s and {selection/projected}
order by occurred_at
limit 1
