-- keep_conversion_buckets
insert into conversion_bucket (site_id, number, bucket, conversions, open_at_start)
with kept as (
    select number, first_at, last_at from conversion where site_id = %(site_id)s and first_at < %(before)s
),
part as (
    select number, bucket_of(first_at) as bucket, 1 as conversions, 0 as open_at_start from kept
    union all
    select number, bucket, 0, 1
    from kept
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where bucket < %(before)s
)
select %(site_id)s, number, bucket, sum(conversions), sum(open_at_start)
from part
group by number, bucket
