-- add_conversions
insert into conversion_delta (site_id, session_id, number, first_at, last_at, ended_at, was_first_at, was_last_at)
select its.site_id, its.session_id, its.number, its.first_at, its.last_at, its.ended_at, null::timestamptz, null::timestamptz
from changed_session
join {schema}.conversion as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
where its.number = any(%(numbers)s)
union all
select site_id, session_id, number, null::timestamptz, null::timestamptz, null::timestamptz, first_at, last_at from past_conversion
