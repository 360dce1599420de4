-- write_conversion_buckets
insert into conversion_bucket as kept (site_id, number, bucket, conversions, open_at_start)
with span as (
    select site_id, number, 1 as sign, first_at, last_at from conversion_delta where first_at is not null
    union all
    select site_id, number, -1, was_first_at, was_last_at from conversion_delta where was_first_at is not null
),
change as (
    select site_id, number, bucket_of(first_at) as bucket, sign as conversions, 0 as open_at_start from span
    union all
    select site_id, number, bucket, 0, sign
    from span
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where last_at >= bucket_of(first_at) + interval '15 minutes'
)
select site_id, number, bucket, sum(conversions), sum(open_at_start)
from change
group by site_id, number, bucket
having sum(conversions) <> 0 or sum(open_at_start) <> 0
on conflict (site_id, number, bucket) do update set
    conversions = kept.conversions + excluded.conversions, open_at_start = kept.open_at_start + excluded.open_at_start
