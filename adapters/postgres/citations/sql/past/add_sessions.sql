-- add_sessions
insert into regrouped
select 1, null::bigint, its.*
from changed_session
join {schema}.session as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
union all
select -1, null::bigint, past_session.* from past_session
