-- latest
with {selected}
{mine},
of_sessions as (
    select distinct on (session_id) occurred_at, position
    from mine
    order by session_id, occurred_at desc, position desc
)
select position
from of_sessions
order by occurred_at desc, position desc
limit %(sessions)s
