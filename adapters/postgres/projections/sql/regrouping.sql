-- Sessions that late hits join, or by which they are cut: their rows are replaced.

-- name: collect_regrouped
-- The sessions that are joined with others, get another name, or are cut: as they were.
insert into regrouped
select -1, placed.target_id, own.*
from (
    select kind, site_id, number, target_id, count(*) filter (where kind <> 'hit') over (partition by site_id, target_id) as parts
    from placed
) as placed
cross join lateral (
    select *
    from session
    where session.site_id = placed.site_id and session.session_id = placed.number
    offset 0
) as own
where placed.kind = 'cut' or placed.kind = 'session' and (placed.parts > 1 or placed.target_id <> placed.number)

-- name: take_hits_again
insert into slice
select
    target_id, hit.position, hit.site_id, hit.visitor_id, hit.occurred_at, hit.type, true, hit.user_id, hit.signed_visitor_id,
    hit.pathname, hit.page_title, hit.event_name, hit.properties, hit.release
from placed
join hit on hit.position = placed.number and hit.occurred_at = placed.started_at
where kind = 'again'

-- name: join_sessions
-- Sessions of a visitor never overlap: each value of those that are joined has a time of its own.
insert into regrouped
select joined.*
from (
    select distinct on (site_id, target_id) site_id, target_id, regrouped as earliest
    from regrouped
    where target_id is not null
    order by site_id, target_id, started_at, session_id
) as first
join (
    select
        1 as sign, site_id, target_id, target_id as session_id, max(ended_at) as ended_at, sum(pageviews) as pageviews, sum(custom_events) as custom_events,
        sum(performance_measures) as performance_measures, sum(outbound_clicks) as outbound_clicks,
        sum(errors) as errors, min(entry_at) as entry_at, max(exit_at) as exit_at, max(user_at) as user_at,
        (array_agg(entry_page order by entry_at))[1] as entry_page,
        (array_agg(exit_page order by exit_at desc nulls last))[1] as exit_page,
        (array_agg(user_id order by user_at desc nulls last))[1] as user_id,
        (array_agg(signed_visitor_id order by user_at desc nulls last))[1] as signed_visitor_id
    from regrouped
    where target_id is not null
    group by site_id, target_id
) as total using (site_id, target_id)
cross join lateral jsonb_populate_record(earliest, to_jsonb(total)) as joined

-- name: join_conversions
-- Conversions of sessions that are cut are found among their hits.
insert into matches
select conversion.site_id, target_id, number, first_at, last_at
from regrouped
join conversion using (site_id, session_id)
where sign < 0 and target_id is not null

-- name: retire_conversions
insert into conversion_delta (site_id, session_id, number, was_first_at, was_last_at)
select conversion.site_id, session_id, number, first_at, last_at
from regrouped
join conversion using (site_id, session_id)
where sign < 0

-- name: remove_conversions
delete from conversion
using regrouped
where sign < 0 and conversion.site_id = regrouped.site_id and conversion.session_id = regrouped.session_id

-- name: collect_moved_errors
-- The occurrences of the sessions that are formed anew, with the sessions that they are in now.
insert into new_errors
select
    own.site_id, own.message_id, own.digest, coalesce(regrouped.target_id, placed.target_id), own.position, own.occurred_at, '',
    true
from regrouped
cross join lateral (
    select occurrence.*, digest
    from error_occurrence as occurrence
    join error_message using (site_id, message_id)
    where occurrence.site_id = regrouped.site_id and occurred_at >= regrouped.started_at
        and occurred_at <= regrouped.ended_at and session_id = regrouped.session_id
    offset 0
) as own
left join placed on placed.kind = 'again' and placed.number = own.position
where sign < 0 and errors > 0

-- name: retire_error_sessions
insert into error_session_delta (site_id, message_id, session_id, was_first_at, was_last_at)
select own.*
from (
    select distinct new_errors.site_id, new_errors.message_id, occurrence.session_id
    from new_errors
    join error_occurrence as occurrence using (site_id, message_id, occurred_at, position)
    where again
) as pair
cross join lateral (
    select site_id, message_id, session_id, first_at, last_at
    from error_session
    where error_session.site_id = pair.site_id and error_session.message_id = pair.message_id
        and error_session.session_id = pair.session_id
    offset 0
) as own

-- name: remove_error_sessions
delete from error_session
using error_session_delta as gone
where error_session.site_id = gone.site_id and error_session.message_id = gone.message_id
    and error_session.session_id = gone.session_id

-- name: move_error_occurrences
update error_occurrence
set session_id = new_errors.session_id
from new_errors
where again and error_occurrence.site_id = new_errors.site_id and error_occurrence.message_id = new_errors.message_id
    and error_occurrence.occurred_at = new_errors.occurred_at and error_occurrence.position = new_errors.position

-- name: move_error_sightings
update error_sighting
set session_id = new_errors.session_id
from new_errors
where again and error_sighting.site_id = new_errors.site_id and error_sighting.occurred_at = new_errors.occurred_at
    and error_sighting.position = new_errors.position

-- name: remove_regrouped
delete from session
using regrouped
where sign < 0 and session.site_id = regrouped.site_id and session.session_id = regrouped.session_id

-- name: write_joined
insert into session
select joined.*
from regrouped
cross join lateral jsonb_populate_record(null::session, to_jsonb(regrouped)) as joined
where sign > 0
