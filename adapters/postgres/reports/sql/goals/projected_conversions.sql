-- projected_conversions
-- The sessions of the projected goals `numbers`. Only for a period of at least a day: within less, a session can have
-- converted before and after it and not inside.
converted as (
    select number as index, session_id
    from conversion
    where site_id = %(site_id)s and number = any(%(numbers)s::bigint[])
        and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
)
