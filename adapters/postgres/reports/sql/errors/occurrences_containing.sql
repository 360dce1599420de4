-- occurrences_containing
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
