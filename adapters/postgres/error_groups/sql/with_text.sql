-- with_text
-- The groups of the occurrences in the period whose message contains a text: all messages of the site are compared with it.
owner in (
    select coalesce(merged.owner, sighting.fingerprint)
    from (
        select occurred_at, position
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
            and message_id in (select message_id from error_message where site_id = %(site_id)s and {containing})
    ) as occurrence
    join error_sighting as sighting
        on sighting.site_id = %(site_id)s and sighting.occurred_at = occurrence.occurred_at
            and sighting.position = occurrence.position
    left join merged on merged.fingerprint = sighting.fingerprint
)
