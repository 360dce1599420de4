-- state
-- What decides whether the past can be answered: the positions of this snapshot, those that had been reached before the
-- moment of the question, and the first hit of the site that is left. The clocks of the service and of the
-- server may differ by seconds.
select
    position as traffic,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    coalesce(before.traffic, 0) as traffic_before, coalesce(before.journal, 0) as journal_before,
    (select min(session_id) from {schema}.session where site_id = %(site_id)s) as first_hit
from projection_checkpoint
left join lateral (
    select traffic, journal
    from position_minute
    where minute <= %(at)s::timestamptz - interval '65 seconds'
    order by minute desc
    limit 1
) as before on true
where name = 'reports'
