-- names
-- Of messages seen only inside the period the most frequent of each day on which some were first seen; of the straddling
-- ones those that can be on the page. All messages are those first seen in the period, and of those seen before it the ones
-- that occurred in it: whether the first kind goes on after the period is known from both counts.
-- A page past the end has no rows, and the number of all messages nevertheless.
with {straddling}, {counted}, {total},
known as (
    select min(first_seen) as oldest, max(first_seen) as newest from error_message where site_id = %(site_id)s
),
contained as (
    select top.message_id, top.occurrences, top.message
    from known
    cross join lateral generate_series(
        day_of(greatest(%(start)s, oldest)), day_of(least(%(end)s, newest)), interval '24 hours'
    ) as day
    cross join lateral (
        select message_id, occurrences, message
        from error_message
        where site_id = %(site_id)s and day_of(first_seen) = day
            and first_seen >= %(start)s and first_seen < %(end)s and last_seen < %(end)s
        order by occurrences desc, "left"(message, 500) collate "C", message collate "C"
        limit %(until)s
    ) as top
),
going_on as (
    select message_id, occurrences, sessions
    from counted
    order by occurrences desc
    fetch first %(until)s rows with ties
),
page as materialized (
    select message_id, occurrences, sessions
    from (
        select message_id, occurrences, null::bigint as sessions, message from contained
        union all
        select message_id, going_on.occurrences, going_on.sessions, message
        from going_on
        join error_message using (message_id)
        where site_id = %(site_id)s
    ) as those
    order by occurrences desc, message collate "C"
    limit %(limit)s offset %(offset)s
),
amount as materialized (
    select {new_messages} - (
        select count(*)
        from error_message
        where site_id = %(site_id)s and first_seen < last_seen
            and first_seen >= %(start)s and first_seen < %(end)s and last_seen >= %(end)s
    ) + (select count(*) from counted) as on_all_pages
)
select on_all_pages, record.*
from amount
left join ({summaries}) as record on true
order by count desc, message collate "C"
