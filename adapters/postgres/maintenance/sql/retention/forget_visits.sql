-- forget_visits
-- On days that are kept, a visitor last seen before the cutoff counts as never seen. Quarters are exact enough, since the
-- cutoff is the beginning of one.
update visitors_day
set earlier = reach.earlier, recent = reach.recent
from (
    select
        day,
        earlier[:width_bucket(since * 96 + 95, earlier)] as earlier,
        case
            -- A visit of up to 99 quarters ago can lie on the day before yesterday.
            when since < 192 then array(
                select place from unnest(recent) as place where place / 128 - place %% 128 >= -since order by place
            )
            else recent
        end as recent
    from visitors_day
    cross join lateral (
        select (date_part('epoch', day - %(before)s::timestamptz) / 900)::integer as since offset 0
    ) as distance
    where site_id = %(site_id)s and day >= %(before)s
) as reach
where visitors_day.site_id = %(site_id)s and visitors_day.day = reach.day
    and cardinality(reach.earlier) < cardinality(visitors_day.earlier)
