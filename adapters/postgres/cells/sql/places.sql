-- The place of a cell, and what tells how full and how current it is.

-- name: schema_exists
select exists (select from pg_namespace where nspname = %(schema)s) as exists

-- name: claim
with forgotten as (delete from cell_mark where mark <> %(mark)s)
insert into cell_mark (cell, mark) values (%(cell)s, %(mark)s)
on conflict (cell) do update set mark = excluded.mark

-- name: reached
select mark, journal_position as reached from cell_mark where cell = %(cell)s

-- name: standing
-- Whether the schema is taken, and by what.
select
    (select mark from cell_mark limit 1) as mark,
    exists (select from hit) or exists (select from event) as used

-- name: size
select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes
from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'm')

-- name: recent_events
-- Positions given since some time: to add up the outcomes of a week would read all sites.
select (select case when is_called then last_value else 0 end from hit_position)
    - coalesce((select traffic from position_minute where minute < %(since)s order by minute desc limit 1), 0) as events
