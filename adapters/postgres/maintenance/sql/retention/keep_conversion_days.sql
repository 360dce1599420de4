-- keep_conversion_days
insert into conversion_day (site_id, number, day, conversions, open_at_start)
with kept as (
    select number, first_at, last_at
    from conversion
    where site_id = %(site_id)s and day_of(first_at) <= day_of(%(before)s)
),
part as (
    select number, day_of(first_at) as day, 1 as conversions, 0 as open_at_start from kept
    union all
    select number, day_of(last_at), 0, 1
    from kept
    where day_of(last_at) > day_of(first_at) and day_of(last_at) <= day_of(%(before)s)
)
select %(site_id)s, number, day, sum(conversions), sum(open_at_start)
from part
group by number, day
