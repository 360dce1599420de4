-- count_conversion_buckets
insert into conversion_bucket (site_id, number, bucket, conversions, open_at_start)
with near as ({conversions}),
part as (
    select number, bucket_of(first_at) as bucket, 1 as conversions, 0 as open_at_start
    from near
    where first_at >= %(since)s::timestamptz and first_at < %(until)s::timestamptz
    union all
    select number, bucket, 0, 1
    from near
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
)
select %(site_id)s, number, bucket, sum(conversions), sum(open_at_start)
from part
group by number, bucket
