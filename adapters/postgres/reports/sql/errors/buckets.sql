-- buckets
-- Occurrences of one message, or of any: in whole quarters of an hour they are counted already.
with asked as materialized (
    select message_id
    from error_message
    where site_id = %(site_id)s and digest = {digest}
),
part as (
    select bucket as at, errors as occurrences
    from traffic_bucket
    where %(any)s and site_id = %(site_id)s and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
    union all
    select bucket, occurrences
    from error_bucket
    where not %(any)s and site_id = %(site_id)s and message_id = (select message_id from asked)
        and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
    union all
    select occurred_at, 1
    from error_occurrence
    where %(any)s and site_id = %(site_id)s
        and (
            occurred_at >= %(start)s and occurred_at < %(quarters_start)s
            or occurred_at >= %(quarters_end)s and occurred_at < %(end)s
        )
    union all
    select occurred_at, 1
    from error_occurrence
    where not %(any)s and site_id = %(site_id)s and message_id = (select message_id from asked)
        and (
            occurred_at >= %(start)s and occurred_at < %(quarters_start)s
            or occurred_at >= %(quarters_end)s and occurred_at < %(end)s
        )
)
select width_bucket(at, %(edges)b::timestamptz[]) as piece, sum(occurrences)::bigint as count
from part
group by 1
