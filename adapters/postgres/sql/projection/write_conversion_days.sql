-- write_conversion_days
-- From the first match of a session to its last it is at most a day: it is carried into one other day.
insert into conversion_day as kept (site_id, number, day, conversions, carried)
with span as (
    select site_id, number, 1 as sign, first_at, last_at from converted
    union all
    select site_id, number, -1, was_first_at, was_last_at from converted where was_first_at is not null
),
change as (
    select site_id, number, day_of(first_at) as day, sign as conversions, 0 as carried from span
    union all
    select site_id, number, day_of(last_at), 0, sign from span where day_of(last_at) > day_of(first_at)
)
select site_id, number, day, sum(conversions), sum(carried)
from change
group by site_id, number, day
having sum(conversions) <> 0 or sum(carried) <> 0
on conflict (site_id, number, day) do update set
    conversions = kept.conversions + excluded.conversions, carried = kept.carried + excluded.carried
