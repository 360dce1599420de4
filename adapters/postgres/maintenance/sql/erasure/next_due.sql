-- next_due
select deleted_site as site_id, deleted_at, round
from erasure
where due_at <= %(now)s
order by due_at, deleted_site
limit 1
