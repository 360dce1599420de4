-- The copy of the main store's journal in a cell.

-- name: read_journal
-- The events of the sites that are placed in a cell, and of the goals and funnels that these sites ever had: only new events are
-- read, and of each what it takes to know its site. The erasure of a site keeps its cell, so that a cell which was away learns of
-- the deletion.
select position, stream, version, type, schema_version, data, recorded_at
from (
    select
        position, stream, version, type, schema_version, data::text as data, recorded_at,
        case
            when split_part(stream, '-', 1) = any(%(kinds)s::text[]) then split_part(stream, '-', 2)
            when split_part(stream, '-', 1) in ('goal', 'funnel') then (
                select defined.data ->> 'site_id'
                from event as defined
                where defined.stream = event.stream and defined.type in ('goal-defined', 'funnel-defined')
                order by defined.version
                limit 1
            )
        end as site_id
    from event
    where position > %(after)s and position <= %(up_to)s
) as new
where exists (
    select from event as placed
    where placed.type = 'site-placed' and placed.data ->> 'cell' = %(cell)s and placed.stream = 'site-' || new.site_id
)
order by position
limit %(limit)s

-- name: write_journal
-- Who did it, and in which request, stays in the journal itself. The position is moved when the events are there.
with copied as (
    insert into event (position, stream, version, type, schema_version, data, recorded_at)
    select position, stream, version, type, schema_version, data::jsonb, recorded_at
    from jsonb_to_recordset(%(events)s) as given (
        position bigint, stream text, version integer, type text, schema_version integer, data text,
        recorded_at timestamptz
    )
    order by position
    on conflict do nothing
)
update cell_mark set journal_position = %(reached)s where cell = %(cell)s and journal_position < %(reached)s

-- name: move_journal
update cell_mark set journal_position = %(reached)s where cell = %(cell)s and journal_position < %(reached)s
