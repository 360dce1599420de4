-- places
-- A hit belongs to its visitor's latest session that starts at or before its time. Found with few columns: those of
-- whole hits would be copied by each step, which took half of the time of all making. Only the time on pages is reported.
create table places as
select
    position, session_id,
    case when type = 'pageview' then
        (lead(occurred_at) over (partition by session_id order by occurred_at, position) - occurred_at)::integer
    end as until_next
from (
    select hits.position, epoch_us(hits.occurred_at) as occurred_at, hits.type, owners.session_id
    from (select position, visitor_id, occurred_at, type from hits) as hits
    asof join owners on hits.visitor_id = owners.visitor_id and hits.occurred_at >= owners.started_at
) as placed
semi join sessions using (session_id)
