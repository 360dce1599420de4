-- histories
-- One look into the index for each fingerprint and end.
with part as materialized (
    select owner, fingerprint, resolved_at, muted_at, counted
    from unnest(
        %(owners)s::text[], %(fingerprints)s::text[], %(resolved)s::timestamptz[], %(muted)s::timestamptz[],
        %(counted)s::bigint[]
    ) as part (owner, fingerprint, resolved_at, muted_at, counted)
),
first as (
    select distinct on (owner) owner, one.occurred_at, one.release
    from part
    cross join lateral (
        select occurred_at, position, release
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
        order by occurred_at, position
        limit 1
    ) as one
    order by owner, one.occurred_at, one.position
),
last as (
    select distinct on (owner) owner, one.occurred_at, one.position, one.release
    from part
    cross join lateral (
        select occurred_at, position, release
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
        order by occurred_at desc, position desc
        limit 1
    ) as one
    order by owner, one.occurred_at desc, one.position desc
),
regressed as (
    select distinct on (owner) owner, one.occurred_at, one.release
    from part
    cross join lateral (
        select occurred_at, position, release
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
            and occurred_at > part.resolved_at + %(grace)s
        order by occurred_at, position
        limit 1
    ) as one
    order by owner, one.occurred_at, one.position
),
since as (
    select owner, least(min(counted), sum(occurrences))::bigint as occurrences
    from (
        select owner, counted, (
            select count(*)
            from (
                select
                from error_sighting
                where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
                    and occurred_at > part.muted_at
                limit part.counted
            ) as those
        ) as occurrences
        from part
        where muted_at is not null
    ) as each
    group by owner
)
select
    first.owner, first.occurred_at as first_seen, first.release as first_release, last.occurred_at as last_seen,
    last.release as last_release, regressed.occurred_at as regressed_at, regressed.release as regressed_release,
    coalesce(since.occurrences, 0) as since_mute, hit.event_name, hit.properties
from first
join last on last.owner = first.owner
join hit on hit.position = last.position and hit.occurred_at = last.occurred_at
left join regressed on regressed.owner = first.owner
left join since on since.owner = first.owner
