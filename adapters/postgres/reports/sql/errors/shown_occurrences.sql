-- shown_occurrences
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
