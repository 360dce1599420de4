-- state
-- How far the read models have read the log; and what changes when rows of the site change by other means than later hits: an
-- erasure, during which no two answers have the same epoch, an exchange of the read models, and another store. It begins with
-- a word while the sessions are those of the former definition.
select
    position,
    concat_ws(
        ' ', case when sessions = 1 then 'former' end, column_store(), set_id,
        (select max(coalesce(finished_at, clock_timestamp())) from hit_erasure where site_id = %(site_id)s)
    ) as epoch
from projection_checkpoint
where name = 'reports'
