-- Moves of cells (docs/internals/servers/cells.md#moving-a-cell). While a store is copied to another place, the copying
-- transaction holds lock 12, and everything that would change the logs or what decides about hits is refused at once. A
-- writer holds it shared until its commit: the copy begins when all writers are done.

create or replace function lock_traffic() returns trigger language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(1181708916, 12) then
        raise exception 'the store is being moved' using errcode = 'cannot_connect_now';
    end if;
    perform pg_advisory_xact_lock_shared(1181708916, 2);
    return null;
end
$$;

create or replace function lock_journal() returns trigger language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(1181708916, 12) then
        raise exception 'the store is being moved' using errcode = 'cannot_connect_now';
    end if;
    perform pg_advisory_xact_lock(1181708916, 1);
    return null;
end
$$;

create function refuse_while_moving() returns trigger language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(1181708916, 12) then
        raise exception 'the store is being moved' using errcode = 'cannot_connect_now';
    end if;
    return null;
end
$$;

create trigger idempotency_not_while_moving before insert or update or delete on idempotency
    for each statement execute function refuse_while_moving();
create trigger pageview_quota_not_while_moving before insert or update or delete on pageview_quota
    for each statement execute function refuse_while_moving();
create trigger cell_mark_not_while_moving before insert or update or delete on cell_mark
    for each statement execute function refuse_while_moving();
