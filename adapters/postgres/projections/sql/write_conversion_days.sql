-- write_conversion_days
-- A session lasts at most a day, so it is open at the start of one other day at most.
insert into conversion_day as kept (site_id, number, day, conversions, open_at_start)
with span as (
    select site_id, number, 1 as sign, first_at, last_at from conversion_delta where first_at is not null
    union all
    select site_id, number, -1, was_first_at, was_last_at from conversion_delta where was_first_at is not null
),
change as (
    select site_id, number, day_of(first_at) as day, sign as conversions, 0 as open_at_start from span
    union all
    select site_id, number, day_of(last_at), 0, sign from span where day_of(last_at) > day_of(first_at)
)
select site_id, number, day, sum(conversions), sum(open_at_start)
from change
group by site_id, number, day
having sum(conversions) <> 0 or sum(open_at_start) <> 0
on conflict (site_id, number, day) do update set
    conversions = kept.conversions + excluded.conversions, open_at_start = kept.open_at_start + excluded.open_at_start
