-- keep_error_days
insert into error_span (site_id, days, since, message_id, occurrences, sessions)
select
    error_bucket.site_id, 1, day_of(bucket), error_bucket.message_id, sum(error_bucket.occurrences),
    sum(error_bucket.sessions)
from error_bucket
join error_message using (site_id, message_id)
where error_bucket.site_id = %(site_id)s and error_bucket.message_id = any(%(message_ids)s)
    and bucket < %(day_end)s
    and day_of(first_seen) < day_of(last_seen)
group by error_bucket.site_id, day_of(bucket), error_bucket.message_id
