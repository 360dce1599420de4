-- write_conversions
insert into conversion (site_id, session_id, number, first_at, last_at, ended_at)
select site_id, session_id, number, first_at, last_at, ended_at
from conversion_delta
where first_at is not null and (first_at, last_at) is distinct from (was_first_at, was_last_at)
on conflict (site_id, session_id, number) do update set
    first_at = excluded.first_at, last_at = excluded.last_at, ended_at = excluded.ended_at
