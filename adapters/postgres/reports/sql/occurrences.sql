-- Occurrences of one error message, page by page, for all sessions or for selected ones.

-- name: occurrences
-- with: amount_of_known as amount, page
-- views: shown
select * from shown order by occurred_at desc, position desc

-- name: occurrences_containing
-- with: containing as found, amount_of_found as amount, page_of_found as page
-- views: shown
-- What is searched is kept with the hits, so each occurrence in the period is looked at.
select * from shown order by occurred_at desc, position desc

-- name: occurrences_of_selected
-- with: amount_of_selected as amount, page_of_selected as page
-- views: shown
select * from shown order by occurred_at desc, position desc

-- name: occurrences_containing_of_selected
-- with: containing_of_selected as found, amount_of_found as amount, page_of_found as page
-- views: shown
select * from shown order by occurred_at desc, position desc

-- name: of_message
-- The occurrences of the message in the period.
select position, occurred_at, session_id
from error_occurrence
where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
    and message_id = (
        select message_id
        from error_message
        where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
    )

-- name: amount_of_known
-- with: errors/known
select coalesce(sum(occurrences), 0)::bigint as on_all_pages from known

-- name: amount_of_selected
-- with: errors/found
select coalesce(sum(occurrences), 0)::bigint as on_all_pages
from found
where message_id = (
    select message_id
    from error_message
    where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
)

-- name: amount_of_found
select count(*) as on_all_pages from found

-- name: page
-- views: of_message
select * from of_message order by occurred_at desc, position desc limit %(limit)s offset %(offset)s

-- name: page_of_selected
-- with: selection/selected
-- views: of_message
select *
from of_message
where session_id in (select session_id from selected)
order by occurred_at desc, position desc
limit %(limit)s offset %(offset)s

-- name: page_of_found
select * from found order by occurred_at desc, position desc limit %(limit)s offset %(offset)s

-- name: containing
-- views: of_message
-- Searches what domain/error_tracking/aggregation.py says.
select its.*
from of_message as its
join hit on hit.position = its.position and hit.occurred_at = its.occurred_at
where hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s
    and exists (
        select
        from unnest(array[pathname, browser, operating_system]) as text
        where strpos(translate(text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), %(containing)s) > 0
    )

-- name: containing_of_selected
-- with: selection/selected
-- views: containing
select * from containing where session_id in (select session_id from selected)

-- name: shown
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
