-- count_conversion_days
insert into conversion_day (site_id, number, day, conversions, open_at_start)
with near as ({conversions}),
part as (
    select number, 1 as conversions, 0 as open_at_start
    from near
    where day_of(first_at) = %(since)s::timestamptz
    union all
    select number, 0, 1
    from near
    where day_of(last_at) = %(since)s::timestamptz and day_of(first_at) < %(since)s::timestamptz
)
select %(site_id)s, number, %(since)s::timestamptz, sum(conversions), sum(open_at_start)
from part
group by number
