-- A cell is copied to another place while it is written to (docs/internals/servers/cells.md#moving-a-cell). Hits that come meanwhile are found by
-- their positions. Rows without a position are found here: a writer notes the key of each row that it changes while the copying
-- command holds lock 15. A writer that does not note holds it shared until its commit: the copy begins when these are done.

create table changed_row (
    table_name text not null,
    key jsonb not null
);

-- The arguments are the columns of the primary key.
create function note_changed_row() returns trigger language plpgsql as $$
declare
    changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
    insert into changed_row (table_name, key)
    select tg_table_name, jsonb_object_agg(name, changed -> name) from unnest(tg_argv) as name;
    return null;
end
$$;

create trigger event_noted after insert or update or delete on event
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('position');
create trigger idempotency_noted after insert or update or delete on idempotency
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'key');
create trigger pageview_quota_noted after insert or update or delete on pageview_quota
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'month');
create trigger ingestion_outcome_noted after insert or update or delete on ingestion_outcome
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'quarter', 'outcome', 'reason', 'slot');
create trigger hit_import_noted after insert or update or delete on hit_import
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'source');
create trigger site_import_noted after insert or update or delete on site_import
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('import_id');
create trigger import_ledger_noted after insert or update or delete on import_ledger
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('import_id', 'day', 'type', 'reason');
create trigger erasure_noted after insert or update or delete on erasure
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('deleted_site');
create trigger position_minute_noted after insert or update or delete on position_minute
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('minute');
