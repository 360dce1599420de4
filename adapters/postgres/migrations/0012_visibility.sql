-- Who came in a period is asked of an index alone where PostgreSQL knows that everybody sees the rows. It learns that when
-- it vacuums: after every fiftieth part of the sessions, and not only after every fifth.
alter table session set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
