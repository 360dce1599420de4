-- conversion_day
-- Of the day from a quarter of which on all hits are later, the quarters before it are the day.
select site_id, number, day, conversions, open_at_start
from {schema}.conversion_day
where site_id = {site_id} and day < least({changed_since}, day_of({later_since}))
union all
select
    site_id, number, day, kept.conversions - coalesce(added.conversions, 0),
    kept.open_at_start - coalesce(added.open_at_start, 0)
from {schema}.conversion_day as kept
left join pg_temp.conversion_day as added using (site_id, number, day)
where site_id = {site_id} and day >= {changed_since} and day < day_of({later_since})
union all
select
    site_id, number, day_of({later_since}), sum(kept.conversions - coalesce(added.conversions, 0))::bigint,
    coalesce(
        sum(kept.open_at_start - coalesce(added.open_at_start, 0)) filter (where bucket = day_of({later_since})), 0
    )::bigint
from {schema}.conversion_bucket as kept
left join pg_temp.conversion_bucket as added using (site_id, number, bucket)
where site_id = {site_id} and bucket >= day_of({later_since}) and bucket < {later_since}
group by site_id, number
