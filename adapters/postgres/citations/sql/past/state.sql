-- state
-- What decides whether the past can be answered: the positions of this snapshot (of a cell, up to where it knows the
-- journal), the first hit of the site that is left, and the schema of the tables.
select
    position as traffic,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    (select min(session_id) from session where site_id = %(site_id)s) as first_hit, current_schema() as schema
from projection_checkpoint
where name = 'reports'
