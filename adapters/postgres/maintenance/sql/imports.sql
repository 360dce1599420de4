-- Imports, and the taking back of one.

-- name: begin_undo
update site_import set state = 'undoing' where import_id = %(import_id)s

-- name: stored_days
select distinct day from import_ledger where import_id = %(import_id)s and reason = '' and day <> '' order by day

-- name: projected
select position from projection_checkpoint where name = 'reports'

-- name: erase_hits
-- All hits that an import takes back are deleted by this statement, some of one day of its site at a time: a day
-- lies in one partition, so that places tell its rows apart.
delete from hit
where occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
    and ctid = any(array(
        select ctid
        from hit
        where site_id = %(site_id)s and import_id = %(import_id)s
            and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        limit %(limit)s
    ))

-- name: erase_sessions
-- The visitors of an import are its own, and so are their sessions. A session is erased when its first hit in the log,
-- whose position is its id, is gone; its conversions are erased with it.
with gone as (
    delete from session
    where ctid = any(array(
        select session.ctid
        from session
        left join lateral (
            select true as kept
            from hit
            where hit.position = session.session_id
                and hit.occurred_at >= session.started_at and hit.occurred_at <= session.ended_at
            limit 1
        ) as first on true
        where session.site_id = %(site_id)s
            and session.started_at >= %(since)s::timestamptz and session.started_at < %(until)s::timestamptz
            and first.kept is null
        limit %(limit)s
    ))
    returning site_id, session_id
),
without_conversions as (
    delete from conversion
    using gone
    where conversion.site_id = gone.site_id and conversion.session_id = gone.session_id
)
select count(*) as sessions from gone

-- name: erase_refused_bots
delete from refused_bot
where ctid = any(array(
    select ctid from refused_bot where site_id = %(site_id)s and import_id = %(import_id)s limit %(limit)s
))

-- name: recount_new_messages
-- A message whose first occurrences were imported is new on another day without them.
update traffic_bucket
set new_messages = coalesce(counted.messages, 0)
from traffic_bucket as kept
left join (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s
    group by 1
) as counted on counted.bucket = kept.bucket
where kept.site_id = %(site_id)s and kept.new_messages <> coalesce(counted.messages, 0)
    and traffic_bucket.site_id = kept.site_id and traffic_bucket.bucket = kept.bucket

-- name: note_erasure
-- An undoing that goes on after an interruption keeps what it noted first: some of its hits may be gone.
insert into hit_erasure (site_id, reason, first_position, since, until)
select %(site_id)s, 'import ' || %(import_id)s::text, coalesce(min(position), 0), %(since)s, %(until)s
from hit
where site_id = %(site_id)s and import_id = %(import_id)s and occurred_at >= %(since)s and occurred_at < %(until)s
on conflict (site_id, reason) do nothing

-- name: finish_erasure
update hit_erasure
set finished_at = statement_timestamp()
where site_id = %(site_id)s and reason = 'import ' || %(import_id)s::text

-- name: forget_ledger
delete from import_ledger where import_id = %(import_id)s

-- name: forget_import
delete from site_import where import_id = %(import_id)s

-- name: find
select * from site_import where site_id = %(site_id)s and format = %(format)s and source_key = %(source_key)s

-- name: begin
insert into site_import as stored (site_id, format, source_key, source, state, started_at, changed_at)
values (%(site_id)s, %(format)s, %(source_key)s, %(source)s, 'running', %(now)s, %(now)s)
on conflict (site_id, format, source_key) do update
set source = excluded.source, state = 'running', changed_at = excluded.changed_at
where stored.state <> 'undoing'
returning *

-- name: complete
update site_import
set state = 'complete', changed_at = %(now)s
where import_id = %(import_id)s and steps = %(steps)s and state in ('running', 'stopped')

-- name: stop
-- An import that another process has moved on meanwhile runs again with its next piece.
update site_import set state = 'stopped', changed_at = %(now)s where import_id = %(import_id)s and state = 'running'

-- name: all
select * from site_import order by import_id

-- name: ledger
select day, type, reason, rows from import_ledger where import_id = %(import_id)s order by day, type, reason

-- name: pageviews
select coalesce(pathname, '') as pathname, count(*) as pageviews
from hit
where site_id = %(site_id)s and import_id = %(import_id)s and type = 'pageview'
    and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
group by 1

-- name: move
update site_import
set mark = %(mark)s, steps = steps + 1, state = 'running', changed_at = %(now)s
where import_id = %(import_id)s and steps = %(steps)s and state in ('running', 'stopped')
returning *

-- name: add_to_ledger
insert into import_ledger as kept (site_id, import_id, day, type, reason, rows)
select %(site_id)s::bigint, %(import_id)s::bigint, counted.*
from unnest(%(days)s::text[], %(types)s::text[], %(reasons)s::text[], %(rows)s::bigint[]) as counted
on conflict (import_id, day, type, reason) do update set rows = kept.rows + excluded.rows
