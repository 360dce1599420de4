-- straddling
-- Messages that were seen inside the period and outside of it: only of these are the counts of the period looked up.
straddling as materialized (
    select message_id
    from error_message
    where site_id = %(site_id)s and first_seen < last_seen
        and first_seen < %(start)s and last_seen >= %(start)s
    union all
    select message_id
    from error_message
    where site_id = %(site_id)s and first_seen < last_seen
        and first_seen >= %(start)s and first_seen < %(end)s and last_seen >= %(end)s
)
