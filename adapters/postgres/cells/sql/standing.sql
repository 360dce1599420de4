-- standing
-- Whether the schema is taken, and by what.
select
    (select mark from cell_mark limit 1) as mark,
    exists (select from hit) or exists (select from event) as used
