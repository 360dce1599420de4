-- Error messages: their names, occurrences and buckets, for all sessions or for selected ones.

-- name: names_containing
-- All messages of the site are compared with the text, whenever they were seen.
with {known}, {total},
amount as (select count(*) as on_all_pages from known),
page as materialized (
    select message_id, known.occurrences, known.sessions
    from known
    join error_message using (message_id)
    where site_id = %(site_id)s
    order by known.occurrences desc, message collate "C"
    limit %(limit)s offset %(offset)s
)
select on_all_pages, record.*
from amount
left join ({summaries}) as record on true
order by count desc, message collate "C"

-- name: summaries
select
    message.message, message.error_name, page.occurrences as count, {session_count} as session_count, total.occurrences as total,
    message.first_seen, message.last_seen, message.last_seen as last_ever, resolved_at
from page
cross join total
join error_message as message on message.site_id = %(site_id)s and message.message_id = page.message_id
{resolution}

-- name: resolution
-- When a member last marked the error as resolved.
left join lateral (
    select recorded_at as resolved_at
    from event
    where stream = %(stream)s and type = 'error-resolved'
        and md5(data ->> 'message') = md5(message.message) and data ->> 'message' = message.message
    order by version desc
    limit 1
) as resolution on true

-- name: names
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

-- name: straddling
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

-- name: counted
-- The counts of straddling messages. Whole days are read for all messages at once, since others have few rows there; a
-- message of a single day does not straddle whole days. The rest is read message by message: in a quarter of an hour a
-- million others may have rows. The comparison of two parameters skips a piece that is empty.
counted as materialized (
    select message_id, sum(occurrences)::bigint as occurrences, sum(sessions)::bigint as sessions
    from (
        select message_id, whole.occurrences, whole.sessions
        from unnest(
            %(span_days)s::integer[], %(span_starts)s::timestamptz[], %(span_ends)s::timestamptz[]
        ) as span (days, since, until)
        cross join lateral (
            select message_id, occurrences, sessions
            from error_span
            where error_span.site_id = %(site_id)s and error_span.days = span.days
                and error_span.since >= span.since and error_span.since < span.until
            offset 0
        ) as whole
        union all
        select message_id, part.occurrences, part.sessions
        from straddling
        cross join lateral (
            select occurrences, sessions
            from error_bucket
            where error_bucket.site_id = %(site_id)s and error_bucket.message_id = straddling.message_id
                and bucket >= %(quarters_start)s and bucket < %(days_start)s
                and %(quarters_start)s::timestamptz < %(days_start)s
            union all
            select occurrences, sessions
            from error_bucket
            where error_bucket.site_id = %(site_id)s and error_bucket.message_id = straddling.message_id
                and bucket >= %(days_end)s and bucket < %(quarters_end)s
                and %(days_end)s::timestamptz < %(quarters_end)s
            union all
            select 1, 0
            from error_occurrence
            where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = straddling.message_id
                and occurred_at >= %(start)s and occurred_at < %(quarters_start)s
                and %(start)s::timestamptz < %(quarters_start)s
            union all
            select 1, 0
            from error_occurrence
            where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = straddling.message_id
                and occurred_at >= %(quarters_end)s and occurred_at < %(end)s
                and %(quarters_end)s::timestamptz < %(end)s
            offset 0
        ) as part
    ) as parts
    group by message_id
    having message_id in (select message_id from straddling)
)

-- name: new_messages
-- The number of messages first seen in the period: whole quarters of an hour are added up, the edges are counted.
(
    select coalesce(sum(new_messages), 0)
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
)::bigint + (
    select count(*)
    from error_message
    where site_id = %(site_id)s and first_seen >= %(start)s and first_seen < %(quarters_start)s
) + (
    select count(*)
    from error_message
    where site_id = %(site_id)s and first_seen >= %(quarters_end)s and first_seen < %(end)s
)

-- name: new
-- A page past the end has no rows, and the number of all messages nevertheless.
with youngest as materialized (
    select message_id, occurrences, last_seen
    from error_message
    where site_id = %(site_id)s and first_seen >= %(start)s and first_seen < %(end)s
    order by first_seen desc, "left"(message, 500) collate "C", message collate "C"
    limit %(limit)s offset %(offset)s
),
straddling as materialized (select message_id from youngest where last_seen >= %(end)s),
{counted}, {total},
page as materialized (
    select message_id, coalesce(counted.occurrences, youngest.occurrences) as occurrences, counted.sessions
    from youngest
    left join counted using (message_id)
),
amount as materialized (
    select {new_messages} as on_all_pages
)
select on_all_pages, record.*
from amount
left join ({summaries}) as record on true
order by first_seen desc, message collate "C"

-- name: one
with {known}, {total}, page as (select message_id, occurrences, sessions from known)
{summaries}

-- name: occurrences_containing
-- What is searched is kept with the hits, so each occurrence in the period is looked at.
with found as materialized (
    select its.position, its.occurred_at, its.session_id
    from error_occurrence as its
    join hit on hit.position = its.position and hit.occurred_at = its.occurred_at
    where its.site_id = %(site_id)s and its.occurred_at >= %(start)s and its.occurred_at < %(end)s
        and message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and {chosen}
),
amount as (select count(*) as on_all_pages from found),
page as materialized (
    select * from found order by occurred_at desc, position desc limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: digest
sha256(convert_to(%(message)s, 'UTF8'))

-- name: shown_occurrences
-- The hits of a page, or one row without any; `amount` says how many there are on all pages.
select on_all_pages, hit.*, page.session_id, its.known_user
from amount
left join page on true
-- One look for each occurrence on the page, also where nested loops are avoided, and in the past: there, sessions are those of
-- several queries.
left join lateral (
    select *
    from hit
    where hit.position = page.position and hit.occurred_at = page.occurred_at
    offset 0
) as hit on true
left join lateral (
    select user_id as known_user
    from session
    where session.site_id = %(site_id)s and session.session_id = page.session_id
    offset 0
) as its on true
order by page.occurred_at desc, page.position desc

-- name: occurrences
with {known},
amount as (select coalesce(sum(occurrences), 0)::bigint as on_all_pages from known),
page as materialized (
    select position, occurred_at, session_id
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
    order by occurred_at desc, position desc
    limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: buckets
-- Occurrences of one message, or of any: in whole quarters of an hour they are counted already.
with asked as materialized (
    select message_id
    from error_message
    where site_id = %(site_id)s and digest = {digest}
),
part as (
    select bucket as at, errors as occurrences
    from traffic_bucket
    where %(any)s and site_id = %(site_id)s and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
    union all
    select bucket, occurrences
    from error_bucket
    where not %(any)s and site_id = %(site_id)s and message_id = (select message_id from asked)
        and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
    union all
    select occurred_at, 1
    from error_occurrence
    where %(any)s and site_id = %(site_id)s
        and (
            occurred_at >= %(start)s and occurred_at < %(quarters_start)s
            or occurred_at >= %(quarters_end)s and occurred_at < %(end)s
        )
    union all
    select occurred_at, 1
    from error_occurrence
    where not %(any)s and site_id = %(site_id)s and message_id = (select message_id from asked)
        and (
            occurred_at >= %(start)s and occurred_at < %(quarters_start)s
            or occurred_at >= %(quarters_end)s and occurred_at < %(end)s
        )
)
select width_bucket(at, %(edges)b::timestamptz[]) as piece, sum(occurrences)::bigint as count
from part
group by 1

-- name: is_known
select exists (
    select from error_message
    where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
) as known

-- name: known
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

-- name: that_message
digest = {digest}

-- name: session_count
-- A message seen only inside the period has its sessions at hand. Those of another are the sessions that met it first inside
-- the period, and those that met it first before and last inside. Only in a period of less than a day can a session meet
-- it before and after the period and not inside.
case
    when page.sessions is null then message.sessions
    when %(short)s then (
        select count(distinct session_id)
        from error_occurrence as its
        where its.site_id = %(site_id)s and its.message_id = page.message_id
            and occurred_at >= %(start)s and occurred_at < %(end)s
    )
    else page.sessions + (
        select count(*)
        from error_session as its
        where its.site_id = %(site_id)s and its.message_id = page.message_id
            and last_at >= %(start)s and last_at < %(quarters_start)s::timestamptz + interval '24 hours'
            and first_at < %(quarters_start)s
    ) + (
        select count(*)
        from error_session as its
        where its.site_id = %(site_id)s and its.message_id = page.message_id
            and last_at >= %(quarters_end)s and last_at < %(end)s::timestamptz + interval '24 hours'
            and first_at >= %(quarters_end)s and first_at < %(end)s
    )
end

-- name: total
total as materialized (
    select (
        select coalesce(sum(errors), 0)
        from traffic_bucket
        where site_id = %(site_id)s and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
    )::bigint + (
        select count(*)
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(quarters_start)s
    ) + (
        select count(*)
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(quarters_end)s and occurred_at < %(end)s
    ) as occurrences
)

-- name: buckets_of_selected
with {selection/selected}
select width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from error_occurrence
where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
    and (
        %(any)s
        or message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
    )
group by 1

-- name: of_selected
session_id in (select session_id from selected)

-- name: found
-- Occurrences in chosen sessions are counted one by one.
found as materialized (
    select
        message_id, count(*) as occurrences, count(distinct session_id) as sessions, max(occurred_at) as last_seen
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
    group by message_id
)

-- name: found_summaries
select
    message.message, message.error_name, page.occurrences as count, page.sessions as session_count,
    (select sum(occurrences)::bigint from found) as total, message.first_seen, page.last_seen,
    message.last_seen as last_ever, resolved_at
from found as page
join error_message as message on message.site_id = %(site_id)s and message.message_id = page.message_id
{resolution}

-- name: new_of_selected
-- A page past the end has no rows, and the number of all messages nevertheless.
with {selection/selected}, {found},
young as materialized (
    {found_summaries}
    where message.first_seen >= %(start)s and message.first_seen < %(end)s
),
amount as (select count(*) as on_all_pages from young)
select on_all_pages, record.*
from amount
left join (
    select * from young order by first_seen desc, message collate "C" limit %(limit)s offset %(offset)s
) as record on true
order by first_seen desc, message collate "C"

-- name: occurrences_containing_of_selected
with {selection/selected},
found as materialized (
    select its.position, its.occurred_at, its.session_id
    from error_occurrence as its
    join hit on hit.position = its.position and hit.occurred_at = its.occurred_at
    where its.site_id = %(site_id)s and its.occurred_at >= %(start)s and its.occurred_at < %(end)s
        and message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and {chosen} and its.{of_selected}
),
amount as (select count(*) as on_all_pages from found),
page as materialized (
    select * from found order by occurred_at desc, position desc limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: occurrences_of_selected
with {selection/selected}, {found},
amount as (
    select coalesce(sum(occurrences), 0)::bigint as on_all_pages
    from found
    where message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
),
page as materialized (
    select position, occurred_at, session_id
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
        and message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
    order by occurred_at desc, position desc
    limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: one_of_selected
with {selection/selected}, {found}
{found_summaries}
where message.digest = {digest}
