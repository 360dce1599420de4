-- keep_error_spans
-- After the days have been counted anew.
insert into error_span (site_id, days, since, message_id, occurrences, sessions)
select day.site_id, span.days, span_of(span.days, day.since), day.message_id, sum(occurrences), sum(sessions)
from error_span as day
cross join unnest('{4, 16, 64}'::integer[]) as span (days)
where day.site_id = %(site_id)s and day.days = 1 and day.message_id = any(%(message_ids)s)
    and span_of(span.days, day.since) <= span_of(span.days, %(before)s)
group by day.site_id, span.days, span_of(span.days, day.since), day.message_id
