-- write_conversion_buckets
insert into conversion_bucket as kept (site_id, number, bucket, conversions, carried)
with span as (
    select site_id, number, 1 as sign, first_at, last_at from converted
    union all
    select site_id, number, -1, was_first_at, was_last_at from converted where was_first_at is not null
),
change as (
    select site_id, number, bucket_of(first_at) as bucket, sign as conversions, 0 as carried from span
    union all
    select site_id, number, bucket, 0, sign
    from span
    cross join lateral buckets_carried(first_at, last_at) as bucket
    where last_at >= bucket_of(first_at) + interval '15 minutes'
)
select site_id, number, bucket, sum(conversions), sum(carried)
from change
group by site_id, number, bucket
having sum(conversions) <> 0 or sum(carried) <> 0
on conflict (site_id, number, bucket) do update set
    conversions = kept.conversions + excluded.conversions, carried = kept.carried + excluded.carried
