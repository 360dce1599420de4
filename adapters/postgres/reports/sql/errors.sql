-- Error messages: their names, counts and buckets, for all sessions or for selected ones.

-- name: names_containing
-- with: asked_containing as asked, known, total, page_of_known as page
-- views: summaries
-- All messages of the site are compared with the text, whenever they were seen.
select on_all_pages, record.*
from (select count(*) as on_all_pages from known) as amount
left join summaries as record on true
order by count desc, message collate "C"

-- name: page_of_known
-- with: known
select message_id, known.occurrences, known.sessions
from known
join error_message using (message_id)
where site_id = %(site_id)s
order by known.occurrences desc, message collate "C"
limit %(limit)s offset %(offset)s

-- name: summaries
-- with: message_of_page as message
-- views: message_with_cause
-- A message seen only inside the period has its sessions at hand. Those of another are the sessions that met it first inside
-- the period, and those that met it first before and last inside. Only in a period of less than a day can a session meet
-- it before and after the period and not inside.
select
    message.message, message.error_name, page.occurrences as count,
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
    end as session_count,
    total.occurrences as total,
    message.first_seen, message.last_seen, message.fingerprint
from page
cross join total
join message_with_cause as message on message.message_id = page.message_id

-- name: message_of_page
select error_message.* from page join error_message using (message_id) where site_id = %(site_id)s

-- name: message_with_cause
-- The cause of a `message` is that of its latest occurrence in the whole history: two looks into indexes. These messages are chosen
-- before, or a plan could look for the causes of all first.
select message.*, cause.fingerprint
from message
left join lateral (
    select sighting.fingerprint
    from (
        select occurred_at, position
        from error_occurrence as its
        where its.site_id = %(site_id)s and its.message_id = message.message_id
        order by occurred_at desc, position desc
        limit 1
    ) as latest
    cross join lateral (
        select fingerprint
        from error_sighting
        where error_sighting.site_id = %(site_id)s and error_sighting.occurred_at = latest.occurred_at
            and error_sighting.position = latest.position
        offset 0
    ) as sighting
) as cause on true

-- name: cause_of
-- with: message_of_text as message
-- views: message_with_cause
select fingerprint from message_with_cause

-- name: message_of_text
select * from error_message where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))

-- name: names
-- with: straddling_messages as straddling, counted, total, page_of_names as page, amount_of_names as amount
-- views: summaries
select on_all_pages, record.*
from amount
left join summaries as record on true
order by count desc, message collate "C"

-- name: straddling_messages
-- Those that were seen inside the period and outside of it: their counts are looked up.
select message_id
from error_message
where site_id = %(site_id)s and first_seen < last_seen
    and first_seen < %(start)s and last_seen >= %(start)s
union all
select message_id
from error_message
where site_id = %(site_id)s and first_seen < last_seen
    and first_seen >= %(start)s and first_seen < %(end)s and last_seen >= %(end)s

-- name: page_of_names
-- with: counted
-- Reads, of messages seen only inside the period, the most frequent ones of each day on which some were first seen, and of
-- the straddling ones those that can be on the page.
with known as (
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
)
select message_id, occurrences, sessions
from (
    select message_id, occurrences, null::bigint as sessions, message from contained
    union all
    select message_id, going_on.occurrences, going_on.sessions, message
    from going_on
    join error_message using (message_id)
    where site_id = %(site_id)s
) as candidate
order by occurrences desc, message collate "C"
limit %(limit)s offset %(offset)s

-- name: amount_of_names
-- with: counted
-- views: new_count
-- All messages are those first seen in the period, and of those seen before it the ones that occurred in it: whether the first
-- kind goes on after the period is known from both counts.
-- A page past the end has no rows, and the number of all messages nevertheless.
select (select messages from new_count) - (
    select count(*)
    from error_message
    where site_id = %(site_id)s and first_seen < last_seen
        and first_seen >= %(start)s and first_seen < %(end)s and last_seen >= %(end)s
) + (select count(*) from counted) as on_all_pages

-- name: counted
-- with: straddling
-- The counts of straddling messages. Whole days are read for all messages at once, since others have few rows there; a
-- message of a single day does not straddle whole days. The rest is read message by message: in a quarter of an hour a
-- million others may have rows. The comparison of two parameters skips a piece that is empty.
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

-- name: new_count
-- The number of messages first seen in the period: whole quarters of an hour are added up, the edges are counted.
select (
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
) as messages

-- name: new
-- with: youngest, straddling_of_youngest as straddling, counted, total, page_of_youngest as page
-- views: new_count, summaries
-- A page past the end has no rows, and the number of all messages nevertheless.
select on_all_pages, record.*
from (select messages as on_all_pages from new_count) as amount
left join summaries as record on true
order by first_seen desc, message collate "C"

-- name: youngest
select message_id, occurrences, last_seen
from error_message
where site_id = %(site_id)s and first_seen >= %(start)s and first_seen < %(end)s
order by first_seen desc, "left"(message, 500) collate "C", message collate "C"
limit %(limit)s offset %(offset)s

-- name: straddling_of_youngest
-- with: youngest
select message_id from youngest where last_seen >= %(end)s

-- name: page_of_youngest
-- with: youngest, counted
select message_id, coalesce(counted.occurrences, youngest.occurrences) as occurrences, counted.sessions
from youngest
left join counted using (message_id)

-- name: buckets
-- Occurrences of one message, or of any: in whole quarters of an hour they are counted already.
with asked as materialized (
    select message_id
    from error_message
    where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
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

-- name: asked
-- The message that is asked for.
select message_id, occurrences, first_seen, last_seen
from error_message
where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8')) and first_seen < %(end)s and last_seen >= %(start)s

-- name: asked_containing
select message_id, occurrences, first_seen, last_seen
from error_message
where site_id = %(site_id)s and first_seen < %(end)s and last_seen >= %(start)s
    and strpos(translate(message, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), %(containing)s) > 0

-- name: straddling_of_asked
-- with: asked
select message_id from asked where first_seen < %(start)s or last_seen >= %(end)s

-- name: known
-- with: asked, straddling_of_asked as straddling, counted
-- Those with their counts in the period; no row for those that did not occur in it.
select message_id, coalesce(counted.occurrences, asked.occurrences) as occurrences, counted.sessions
from asked
left join counted using (message_id)
where counted.occurrences is not null or message_id not in (select message_id from straddling)

-- name: total
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

-- name: buckets_of_selected
-- with: selection/selected
select width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from error_occurrence
where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
    and session_id in (select session_id from selected)
    and (
        %(any)s
        or message_id = (
            select message_id
            from error_message
            where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
        )
    )
group by 1

-- name: found
-- with: selection/selected
-- Occurrences in chosen sessions are counted one by one.
select
    message_id, count(*) as occurrences, count(distinct session_id) as sessions, max(occurred_at) as last_seen
from error_occurrence
where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
    and session_id in (select session_id from selected)
group by message_id

-- name: new_of_selected
-- with: found, young, page_of_young as message
-- views: message_with_cause
-- A page past the end has no rows, and the number of all messages nevertheless.
select on_all_pages, record.*
from (select count(*) as on_all_pages from young) as amount
left join message_with_cause as record on true
order by first_seen desc, message collate "C"

-- name: young
-- with: found
select
    message.message_id, message.message, message.error_name, its.occurrences as count, its.sessions as session_count,
    (select sum(occurrences)::bigint from found) as total, message.first_seen, its.last_seen
from found as its
join error_message as message on message.site_id = %(site_id)s and message.message_id = its.message_id
where message.first_seen >= %(start)s and message.first_seen < %(end)s

-- name: page_of_young
-- with: young
select * from young order by first_seen desc, message collate "C" limit %(limit)s offset %(offset)s
