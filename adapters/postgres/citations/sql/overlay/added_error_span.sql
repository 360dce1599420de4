-- added_error_span
select
    message_id, days, span_of(days, occurred_at) as since, sum(occurrences)::bigint as occurrences, sum(sessions)::bigint as sessions
from added_error
cross join unnest('{{1, 4, 16, 64}}'::integer[]) as days
group by message_id, days, span_of(days, occurred_at)
