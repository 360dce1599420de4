-- session_rows_in_gaps
select {value}, count(*)
from gap
cross join lateral (
    select *
    from session
    where session.site_id = %(site_id)s and started_at >= gap."from" and started_at < gap."to"
    offset 0
) as session
group by 1
union all
select {value}, 1
from session
where %(first_day)s::timestamptz is null and session.site_id = %(site_id)s
    and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(start)s
    and ended_at >= %(start)s
