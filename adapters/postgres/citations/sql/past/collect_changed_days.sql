-- collect_changed_days
-- The days whose counts changed sessions may have changed: their own, as they were and as they are, and that of the next
-- session of their visitor, which has another last visit before it.
insert into changed_day
with extent as (
    select session.visitor_id, session.started_at, session.ended_at
    from changed_session
    join {schema}.session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
    union all
    select visitor_id, started_at, ended_at from past_session
)
select day_of(started_at) from extent
union
select day_of(ended_at) from extent
union
select day_of(next.started_at)
from extent
cross join lateral (
    select min(started_at) as started_at
    from (
        select session.started_at
        from {schema}.session
        where session.site_id = %(site_id)s and session.visitor_id = extent.visitor_id
        offset 0
    ) as its
    where its.started_at > extent.ended_at
) as next
where next.started_at is not null
