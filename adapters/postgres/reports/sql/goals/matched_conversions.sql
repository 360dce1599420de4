-- matched_conversions
-- The sessions in whose hits some rules match, by the index of the rule.
{matches},
converted as (
    select distinct hit.index, its.session_id
    from match as hit {selection/session_of_hit}
)
