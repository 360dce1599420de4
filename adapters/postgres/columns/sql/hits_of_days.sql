-- hits_of_days
select coalesce(held_hits, 0) as hits
from unnest(%(sites)s::bigint[], %(days)s::timestamptz[]) with ordinality as asked (site_id, day, place)
left join column_day using (site_id, day)
order by place
