-- with_goals
session_id in (
    with {selection/complete}, {goals/matched_conversions}
    select reached.session_id
    from stretch
    cross join lateral (
        select session_id
        from conversion
        where conversion.site_id = %(site_id)s and number in (select number from complete)
            and ended_at >= stretch.since and ended_at <= stretch.until
            and first_at < %(end)s and last_at >= %(start)s
        offset 0
    ) as reached
    union all
    select session_id from converted
)
