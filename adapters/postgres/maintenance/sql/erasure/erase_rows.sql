-- erase_rows
-- Rows that another transaction has locked are left to the next round: the eraser never waits for them, so that no batch
-- of hits ends as the victim of a deadlock with it.
delete from {table}
where ctid = any(array(
    select ctid from {table} where site_id = %(site_id)s limit %(limit)s for update skip locked
))
