-- conversion_bucket
select site_id, number, bucket, conversions, open_at_start
from {schema}.conversion_bucket
where site_id = {site_id} and bucket < {changed_since}
union all
select
    site_id, number, bucket, kept.conversions - coalesce(added.conversions, 0),
    kept.open_at_start - coalesce(added.open_at_start, 0)
from {schema}.conversion_bucket as kept
left join pg_temp.conversion_bucket as added using (site_id, number, bucket)
where site_id = {site_id} and bucket >= {changed_since} and bucket < {later_since}
