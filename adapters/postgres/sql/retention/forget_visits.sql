-- forget_visits
-- Of days that are kept: whoever was last seen in what has been erased has never been seen before. That begins with a
-- quarter of an hour, so that what is known in quarters is known well enough.
update day_visitors
set earlier = reach.earlier, recent = reach.recent
from (
    select
        day,
        earlier[:width_bucket(since * 96 + 95, earlier)] as earlier,
        case
            -- Who was seen up to 99 quarters ago can have been seen on the day before yesterday.
            when since < 192 then array(
                select place from unnest(recent) as place where place / 128 - place %% 128 >= -since order by place
            )
            else recent
        end as recent
    from day_visitors
    cross join lateral (
        select (date_part('epoch', day - %(before)s::timestamptz) / 900)::integer as since offset 0
    ) as distance
    where site_id = %(site_id)s and day >= %(before)s
) as reach
where day_visitors.site_id = %(site_id)s and day_visitors.day = reach.day
    and cardinality(reach.earlier) < cardinality(day_visitors.earlier)
