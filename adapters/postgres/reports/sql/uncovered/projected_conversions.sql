-- projected_conversions
-- Of projected goals, in a period of at least a day: within less, a session can have converted before and after it and not
-- inside.
with {sessions},
converted as (
    select number, session_id
    from stretch
    cross join lateral (
        select number, session_id
        from conversion
        where conversion.site_id = %(site_id)s and number = any(%(numbers)s::bigint[])
            and ended_at >= stretch.since and ended_at <= stretch.until
            and first_at < %(end)s and last_at >= %(start)s
        offset 0
    ) as conversion
)
select number as index, count(*) as count, null::bigint as viewed from converted join selected using (session_id) group by number
union all
select null, count(*), count(*) filter (where pageviews > 0) from selected
