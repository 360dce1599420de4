-- write_journal
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
