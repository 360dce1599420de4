-- keep_conversion_buckets
insert into conversion_bucket (site_id, number, bucket, conversions, carried)
with kept as (
    select number, first_at, last_at from conversion where site_id = %(site_id)s and first_at < %(before)s
),
part as (
    select number, bucket_of(first_at) as bucket, 1 as conversions, 0 as carried from kept
    union all
    select number, bucket, 0, 1
    from kept
    cross join lateral buckets_carried(first_at, last_at) as bucket
    where bucket < %(before)s
)
select %(site_id)s, number, bucket, sum(conversions), sum(carried)
from part
group by number, bucket
