-- prepare
-- While the store is still plain: what a distributed table could not have, or not change.
-- The node at which the cell was settled last: positions come from a sequence there, which no other node has.
create table if not exists cell_home (
    home integer not null,
    -- Imports are called by their numbers, which no two cells share.
    first_import bigint not null
);
insert into cell_home (home, first_import) select -1, 1 where not exists (select from cell_home);

-- Behind functions, since Citus gives each node its own range of a sequence that is a default.
create or replace function next_position() returns bigint language plpgsql as $$
begin
    return nextval('hit_position');
end
$$;

create or replace function next_event() returns bigint language plpgsql as $$
begin
    return nextval('event_position');
end
$$;

create or replace function next_import() returns bigint language plpgsql as $$
begin
    return nextval('import_number');
end
$$;

alter table hit alter column position set default next_position();
alter table event alter column position set default next_event();
alter table site_import alter column import_id drop identity if exists;
alter table site_import alter column import_id set default next_import();
