-- Occurrences of one error message, page by page, for all sessions or for selected ones.

-- name: occurrences
with {errors/known},
amount as (select coalesce(sum(occurrences), 0)::bigint as on_all_pages from known),
page as materialized (
    select position, occurred_at, session_id
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and message_id = (
            select message_id
            from error_message
            where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
        )
    order by occurred_at desc, position desc
    limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: occurrences_containing
-- What is searched is kept with the hits, so each occurrence in the period is looked at.
with found as materialized (
    select its.position, its.occurred_at, its.session_id
    from error_occurrence as its
    join hit on hit.position = its.position and hit.occurred_at = its.occurred_at
    where its.site_id = %(site_id)s and its.occurred_at >= %(start)s and its.occurred_at < %(end)s
        and message_id = (
            select message_id
            from error_message
            where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
        )
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and {chosen}
),
amount as (select count(*) as on_all_pages from found),
page as materialized (
    select * from found order by occurred_at desc, position desc limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: occurrences_of_selected
with {selection/selected}, {errors/found},
amount as (
    select coalesce(sum(occurrences), 0)::bigint as on_all_pages
    from found
    where message_id = (
        select message_id
        from error_message
        where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
    )
),
page as materialized (
    select position, occurred_at, session_id
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and session_id in (select session_id from selected)
        and message_id = (
            select message_id
            from error_message
            where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
        )
    order by occurred_at desc, position desc
    limit %(limit)s offset %(offset)s
)
{shown_occurrences}

-- name: occurrences_containing_of_selected
with {selection/selected},
found as materialized (
    select its.position, its.occurred_at, its.session_id
    from error_occurrence as its
    join hit on hit.position = its.position and hit.occurred_at = its.occurred_at
    where its.site_id = %(site_id)s and its.occurred_at >= %(start)s and its.occurred_at < %(end)s
        and message_id = (
            select message_id
            from error_message
            where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
        )
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and {chosen}
        and its.session_id in (select session_id from selected)
),
amount as (select count(*) as on_all_pages from found),
page as materialized (
    select * from found order by occurred_at desc, position desc limit %(limit)s offset %(offset)s
)
{shown_occurrences}

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
