-- known
-- The messages that are asked for, with their counts in the period; no row for those that did not occur in it.
asked as materialized (
    select message_id, occurrences, first_seen, last_seen
    from error_message
    where site_id = %(site_id)s and {asked} and first_seen < %(end)s and last_seen >= %(start)s
),
straddling as materialized (
    select message_id from asked where first_seen < %(start)s or last_seen >= %(end)s
),
{counted},
known as materialized (
    select message_id, coalesce(counted.occurrences, asked.occurrences) as occurrences, counted.sessions
    from asked
    left join counted using (message_id)
    where counted.occurrences is not null or message_id not in (select message_id from straddling)
)
