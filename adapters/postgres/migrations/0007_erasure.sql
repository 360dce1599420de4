-- The erasure of deleted sites. Every table with a column called site_id is erased, so that none is forgotten; that
-- is why the one here has another name.

create table erasure (
    deleted_site bigint primary key,
    deleted_at timestamptz not null,
    round integer not null default 0,
    -- When the next round is due; null when the last one has found nothing.
    due_at timestamptz
);

create index erasure_due on erasure (due_at) where due_at is not null;

-- In the transaction that deletes the site, so that no crash comes between the two.
create function begin_erasure() returns trigger language plpgsql as $$
begin
    insert into erasure (deleted_site, deleted_at, due_at)
    values (split_part(new.stream, '-', 2)::bigint, new.recorded_at, new.recorded_at)
    on conflict (deleted_site) do nothing;
    return null;
end
$$;

create trigger event_begins_erasure after insert on event
    for each row when (new.type = 'site-deleted') execute function begin_erasure();

insert into erasure (deleted_site, deleted_at, due_at)
select split_part(stream, '-', 2)::bigint, recorded_at, recorded_at
from event
where type = 'site-deleted';
