"""The questions about errors, in SQL; `{selected}` and `{of_selected}` stand for the sessions that filters select."""

from footfall.adapters.postgres.hit_rows import COLUMNS

# The messages that reach over an edge of the period: only of these does the period have a part.
_STRADDLING = """
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
    )"""

# Whole days for all of them at once: other messages have few rows there. The rest message by message: in a quarter of
# an hour a million others may have rows; empty pieces are said to be empty, which saves a look for each message. A
# message of a single day does not straddle whole days, so it is not missed.
_COUNTED = """
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
    )"""

_TOTAL = """
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
    )"""

# A message whose whole history lies in the period has its counts at hand. Of another, sessions are those in which it
# came first in the period, and those in which it came first before and last not before; only in a period of less than
# a day can a session be on both sides of it and not inside.
_SESSIONS = """
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
    end as session_count"""

_RESOLVED = """
    left join lateral (
        select recorded_at as resolved_at
        from event
        where stream = %(stream)s and type = 'error-resolved'
            and md5(data ->> 'message') = md5(message.message) and data ->> 'message' = message.message
        order by version desc
        limit 1
    ) as resolution on true"""

_SUMMARY = f"""
    select
        message.message, message.error_name, page.occurrences as count, {_SESSIONS}, total.occurrences as total,
        message.first_seen, message.last_seen, resolved_at
    from page
    cross join total
    join error_message as message on message.site_id = %(site_id)s and message.message_id = page.message_id
    {_RESOLVED}
"""

_BY_COUNT = """
    order by page.occurrences desc, message.message collate "C"
"""
_BY_AGE = """
    order by message.first_seen desc, message.message collate "C"
"""

# Of the messages whose history lies in the period the most frequent of each day on which some were first seen; of the
# others those that can be on the page.
NAMES = f"""
    with {_STRADDLING}, {_COUNTED}, {_TOTAL},
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
    )
    {_SUMMARY} {_BY_COUNT}
"""

NEW = f"""
    with youngest as materialized (
        select message_id, occurrences, last_seen
        from error_message
        where site_id = %(site_id)s and first_seen >= %(start)s and first_seen < %(end)s
        order by first_seen desc, "left"(message, 500) collate "C", message collate "C"
        limit %(limit)s offset %(offset)s
    ),
    straddling as materialized (select message_id from youngest where last_seen >= %(end)s),
    {_COUNTED}, {_TOTAL},
    page as materialized (
        select message_id, coalesce(counted.occurrences, youngest.occurrences) as occurrences, counted.sessions
        from youngest
        left join counted using (message_id)
    )
    {_SUMMARY} {_BY_AGE}
"""

_DIGEST = "sha256(convert_to(%(message)s, 'UTF8'))"

ONE = f"""
    with asked as materialized (
        select message_id, occurrences, first_seen, last_seen
        from error_message
        where site_id = %(site_id)s and digest = {_DIGEST} and first_seen < %(end)s and last_seen >= %(start)s
    ),
    straddling as materialized (
        select message_id from asked where first_seen < %(start)s or last_seen >= %(end)s
    ),
    {_COUNTED}, {_TOTAL},
    page as materialized (
        select message_id, coalesce(counted.occurrences, asked.occurrences) as occurrences, counted.sessions
        from asked
        left join counted using (message_id)
        where counted.occurrences is not null or message_id not in (select message_id from straddling)
    )
    {_SUMMARY}
"""

# Those of chosen sessions are counted one by one.
_FOUND = f"""
    with {{selected}}
    found as materialized (
        select message_id, count(*) as occurrences, count(distinct session_id) as sessions
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s {{of_selected}}
        group by message_id
    )
    select
        message.message, message.error_name, page.occurrences as count, page.sessions as session_count,
        (select sum(occurrences)::bigint from found) as total, message.first_seen, message.last_seen, resolved_at
    from found as page
    join error_message as message on message.site_id = %(site_id)s and message.message_id = page.message_id
    {_RESOLVED}
"""

_PAGE = "limit %(limit)s offset %(offset)s"

NAMES_OF_SELECTED = f"{_FOUND} {_BY_COUNT} {_PAGE}"

ONE_OF_SELECTED = f"{_FOUND} where message.digest = {_DIGEST}"

NEW_OF_SELECTED = f"""
    {_FOUND}
    where message.first_seen >= %(start)s and message.first_seen < %(end)s
    {_BY_AGE} {_PAGE}
"""

OCCURRENCES = f"""
    with {{selected}}
    page as materialized (
        select position, occurred_at, session_id
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s {{of_selected}}
            and message_id = (
                select message_id
                from error_message
                where site_id = %(site_id)s and digest = {_DIGEST}
            )
        order by occurred_at desc, position desc
        limit %(limit)s offset %(offset)s
    )
    select {", ".join(f"hit.{name}" for name in ("position", *COLUMNS))},
        page.session_id, session.user_id as session_user
    from page
    join hit on hit.position = page.position and hit.occurred_at = page.occurred_at
    join session on session.site_id = %(site_id)s and session.session_id = page.session_id
    order by page.occurred_at desc, page.position desc
"""

BUCKETS = """
    with {selected}
    asked as materialized (
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
        where %(any)s and site_id = %(site_id)s {of_selected}
            and (
                occurred_at >= %(start)s and occurred_at < %(quarters_start)s
                or occurred_at >= %(quarters_end)s and occurred_at < %(end)s
            )
        union all
        select occurred_at, 1
        from error_occurrence
        where not %(any)s and site_id = %(site_id)s and message_id = (select message_id from asked) {of_selected}
            and (
                occurred_at >= %(start)s and occurred_at < %(quarters_start)s
                or occurred_at >= %(quarters_end)s and occurred_at < %(end)s
            )
    )
    select width_bucket(at, %(edges)b::timestamptz[]) as piece, sum(occurrences)::bigint as count
    from part
    group by 1
"""
