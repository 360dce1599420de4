-- Who was erased, by digests that a key outside of the database makes: what lists erasures outside of it, on every host
-- (docs/operate/backup.md#erasures).
alter table visitor_erasure add column selectors text[] not null default '{}';
