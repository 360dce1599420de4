-- collect_changed_sessions
-- The sessions that later hits belong to, with their days at present: those of the later hits that were taken, and those
-- that had begun before all hits are later, and went on. Sessions that began after that never were.
insert into changed_session
select its.session_id, day_of(session.started_at)
from (select distinct session_id from later_slice) as its
join {schema}.session on session.site_id = %(site_id)s and session.session_id = its.session_id
union
select session_id, day_of(started_at)
from (
    select session_id, started_at
    from {schema}.session
    where site_id = %(site_id)s and %(later_since)s::timestamptz < %(until)s
        and started_at >= %(later_since)s::timestamptz - interval '24 hours' and started_at < %(later_since)s
        and ended_at >= %(later_since)s
    order by started_at desc
    limit coalesce(
        (select open_at_start from {schema}.traffic_bucket where site_id = %(site_id)s and bucket = %(later_since)s), 0
    )
) as open
