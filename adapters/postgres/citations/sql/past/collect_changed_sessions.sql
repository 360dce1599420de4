-- collect_changed_sessions
-- The sessions that later hits belong to, those that began after the position among them, with their days at present.
insert into changed_session
select its.session_id, day_of(session.started_at)
from (select distinct session_id from later_slice) as its
join {schema}.session on session.site_id = %(site_id)s and session.session_id = its.session_id
