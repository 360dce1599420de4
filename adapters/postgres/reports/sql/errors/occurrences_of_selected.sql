-- occurrences_of_selected
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
