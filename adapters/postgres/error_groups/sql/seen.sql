-- seen
-- The earliest or the latest occurrence of a group: one look into the index for each of its fingerprints.
(
    select {extreme}
    from (
        select chosen.owner as fingerprint
        union all
        select merged.fingerprint from merged where merged.owner = chosen.owner
    ) as part
    cross join lateral (
        select occurred_at
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
        order by {order}
        limit 1
    ) as one
)
