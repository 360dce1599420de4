-- conversion_day
select
    site_id, number, day, kept.conversions - coalesce(added.conversions, 0) as conversions,
    kept.open_at_start - coalesce(added.open_at_start, 0) as open_at_start
from {schema}.conversion_day as kept
left join pg_temp.conversion_day as added using (site_id, number, day)
where site_id = {site_id}
