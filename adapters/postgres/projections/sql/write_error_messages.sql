-- write_error_messages
insert into error_message as kept (
    site_id, message_id, digest, message, error_name, occurrences, sessions, first_seen, last_seen
)
with seen as (
    select
        site_id, message_id, (array_agg(digest))[1] as digest,
        coalesce(
            (array_agg(error_name order by occurred_at desc, position desc) filter (where not again))[1], ''
        ) as error_name,
        count(*) filter (where not again) as occurrences,
        coalesce(min(occurred_at) filter (where not again), 'infinity') as first_seen,
        coalesce(max(occurred_at) filter (where not again), '-infinity') as last_seen
    from new_errors
    group by site_id, message_id
),
came as (
    select site_id, message_id, count(*) filter (where was_first_at is null) - count(*) filter (where first_at is null) as sessions
    from error_session_delta
    group by site_id, message_id
)
-- A message that is known already is not in the slice at the position of its first hit; then nothing is inserted.
select
    seen.site_id, seen.message_id, seen.digest, message_of(slice.properties), seen.error_name, seen.occurrences,
    coalesce(came.sessions, 0), seen.first_seen, seen.last_seen
from seen
left join came on came.site_id = seen.site_id and came.message_id = seen.message_id
left join slice on slice.position = seen.message_id
on conflict (site_id, message_id) do update set
    error_name = case when excluded.last_seen >= kept.last_seen then excluded.error_name else kept.error_name end,
    occurrences = kept.occurrences + excluded.occurrences,
    sessions = kept.sessions + excluded.sessions,
    first_seen = least(kept.first_seen, excluded.first_seen),
    last_seen = greatest(kept.last_seen, excluded.last_seen)
