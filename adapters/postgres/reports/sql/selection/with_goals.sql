-- with_goals
-- The sessions that reached one of some goals in the period: those of goals with complete conversions are read, those of other
-- goals are found by their rules.
session_id in (
    with {complete}, {goals/matched_conversions}
    select session_id
    from conversion
    where site_id = %(site_id)s and number in (select number from complete)
        and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
    union all
    select session_id from converted
)
