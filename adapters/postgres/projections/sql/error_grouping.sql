-- Sightings of errors, by fingerprints that the domain makes.

-- name: collect_error_kinds
-- Equal reports of a slice have one fingerprint, which is made once.
insert into error_kind (digest, position)
select md5(row(slice.event_name, slice.properties)::text)::uuid, min(position)
from slice
where type = 'error' and not again
group by 1

-- name: read_error_kinds
select slice.position, slice.event_name, slice.properties
from error_kind
join slice on slice.position = error_kind.position
where error_kind.position > %(after)s
order by error_kind.position
limit %(limit)s

-- name: name_error_kinds
update error_kind
set fingerprint = made.fingerprint, stack = made.stack
from unnest(%(positions)s::bigint[], %(fingerprints)s::text[], %(stacks)s::bigint[])
    as made (position, fingerprint, stack)
where error_kind.position = made.position

-- name: write_error_sightings
insert into error_sighting (site_id, fingerprint, occurred_at, position, session_id, stack, release)
select site_id, fingerprint, occurred_at, slice.position, session_id, stack, release
from slice
join error_kind on error_kind.digest = md5(row(slice.event_name, slice.properties)::text)::uuid
where type = 'error' and not again

-- name: next_error_history
select
    after_site, after_message, after_time::text as after_time, after_position, up_to,
    piece.site_id as last_site, piece.message_id as last_message, piece.occurred_at as last_time,
    piece.position as last_position
from error_history
left join lateral (
    select site_id, message_id, occurred_at, position
    from (
        select site_id, message_id, occurred_at, position
        from error_occurrence
        where (site_id, message_id, occurred_at, position) > (after_site, after_message, after_time, after_position)
        order by site_id, message_id, occurred_at, position
        limit %(size)s
    ) as occurrence
    order by site_id desc, message_id desc, occurred_at desc, position desc
    limit 1
) as piece on true

-- name: take_error_history
-- Later positions have been grouped with their slices.
insert into slice (session_id, position, site_id, occurred_at, type, event_name, properties, release, again)
select session_id, hit.position, hit.site_id, hit.occurred_at, hit.type, hit.event_name, hit.properties, hit.release, false
from error_occurrence
join hit on hit.position = error_occurrence.position and hit.occurred_at = error_occurrence.occurred_at
where (error_occurrence.site_id, message_id, error_occurrence.occurred_at, error_occurrence.position)
        > (%(after_site)s, %(after_message)s, %(after_time)s::timestamptz, %(after_position)s)
    and (error_occurrence.site_id, message_id, error_occurrence.occurred_at, error_occurrence.position)
        <= (%(last_site)s, %(last_message)s, %(last_time)s, %(last_position)s)
    and error_occurrence.position <= %(up_to)s

-- name: move_error_history
update error_history
set after_site = %(last_site)s, after_message = %(last_message)s, after_time = %(last_time)s, after_position = %(last_position)s

-- name: finish_error_history
delete from error_history
