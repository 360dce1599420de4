-- new_messages
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
