-- Groups of errors by cause.

-- name: groups
-- with: selected, merged, totals
-- views: asked_sighting, with_text
-- A page past the end has no rows, and the numbers nevertheless.
with chosen as materialized (
    select *
    from totals
    where (owner = any(%(chosen)s::text[])) <> %(but)s
        and (%(containing)s::text = '' or owner in (select owner from with_text))
),
amount as (
    select (select coalesce(sum(count), 0) from totals)::bigint as total, (select count(*) from chosen) as on_all_pages
)
select amount.*, page.*
from amount
left join (
    select owner, count, session_count, case %(sort)s::text
        when 'count' then count
        when 'sessionCount' then session_count
        -- One look into the index for each of the fingerprints of a group.
        else (
            select extract(epoch from case %(sort)s::text when 'firstSeen' then min(first_at) else max(last_at) end)
            from (
                select chosen.owner as fingerprint union all select fingerprint from merged where merged.owner = chosen.owner
            ) as part
            cross join lateral (
                select
                    (
                        select occurred_at from error_sighting
                        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
                        order by occurred_at limit 1
                    ) as first_at,
                    (
                        select occurred_at from error_sighting
                        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
                        order by occurred_at desc limit 1
                    ) as last_at
            ) as seen
        )
    end as measure
    from chosen
    order by measure desc, owner collate "C"
    limit %(limit)s offset %(offset)s
) as page on true
order by measure desc, owner collate "C"

-- name: totals_of_selected
-- Merged fingerprints count for the group that they are part of.
with met as (
    select coalesce(owner, fingerprint) as owner, session_id, count(*) as occurrences
    from error_sighting
    left join merged using (fingerprint)
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and session_id in (select session_id from selected)
    group by 1, 2
)
select owner, sum(occurrences)::bigint as count, count(*) as session_count from met group by owner

-- name: totals
-- with: merged, day_used
-- The counts of days, and sightings of what lies between them. Members merge fingerprints at any time: sightings tell who met
-- several of one group.
with piece as (
    select coalesce(lag(day) over (order by day) + interval '24 hours', %(start)s) as since, day as until from day_used
    union all
    select coalesce(max(day) + interval '24 hours', %(start)s), %(end)s from day_used
),
sighting as (
    select fingerprint, session_id
    from piece
    cross join lateral (
        select fingerprint, session_id
        from error_sighting
        where site_id = %(site_id)s and occurred_at >= since and occurred_at < until
        offset 0
    ) as its
    union all
    select fingerprint, session_id
    from day_used
    cross join lateral (
        select fingerprint, session_id
        from error_sighting
        where site_id = %(site_id)s and fingerprint = any(%(fingerprints)s::text[] || %(owners)s::text[])
            and occurred_at >= day and occurred_at < day + interval '24 hours'
        offset 0
    ) as its
),
met as (
    select coalesce(owner, fingerprint) as owner, session_id, count(*) as occurrences
    from sighting
    left join merged using (fingerprint)
    group by 1, 2
),
-- Sessions that met an error on a counted day and on the day before are in the numbers of both: they are taken off once.
part as (
    select owner, sum(occurrences) as occurrences, count(*) as sessions from met group by owner
    union all
    select fingerprint, occurrences, sessions - case when day > %(start)s then continued else 0 end
    from error_day
    join day_used using (day)
    where site_id = %(site_id)s and fingerprint <> all(%(fingerprints)s::text[] || %(owners)s::text[])
    union all
    select fingerprint, 0, -continued
    from error_day
    join (
        select day + interval '24 hours' as day from day_used
        except
        select day from day_used
    ) as behind using (day)
    where site_id = %(site_id)s and day < %(days_end)s and fingerprint <> all(%(fingerprints)s::text[] || %(owners)s::text[])
)
select owner, sum(occurrences)::bigint as count, sum(sessions)::bigint as session_count
from part
group by owner

-- name: day_used
-- Counted days whose neighbours are known: the day before is in the period as a whole or not at all, that after is counted or not in it.
with counted_day as (
    select distinct day from error_day where site_id = %(site_id)s and day >= %(days_start)s and day < %(days_end)s
)
select day
from counted_day
where (day = %(start)s or day > %(days_start)s)
    and (day + interval '24 hours' = %(end)s or day + interval '24 hours' in (select day from counted_day))

-- name: merged
select fingerprint, owner from unnest(%(fingerprints)s::text[], %(owners)s::text[]) as part (fingerprint, owner)

-- name: with_text
-- The groups of the occurrences in the period whose message contains a text: all messages of the site are compared with it.
select coalesce(merged.owner, sighting.fingerprint) as owner
from (
    select occurred_at, position
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and message_id in (
            select message_id
            from error_message
            where site_id = %(site_id)s
                and strpos(translate(message, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), %(containing)s) > 0
        )
) as occurrence
join asked_sighting as sighting
    on sighting.site_id = %(site_id)s and sighting.occurred_at = occurrence.occurred_at
        and sighting.position = occurrence.position
left join merged on merged.fingerprint = sighting.fingerprint

-- name: none
-- The selected sessions of a report without filters, and the groups with a text where none is searched for.
select null::bigint as session_id, null::text as owner where false

-- name: every_sighting
select * from error_sighting

-- name: sighting_of_selected
select * from error_sighting where session_id in (select session_id from selected)

-- name: mine
-- views: asked_sighting
select occurred_at, position, session_id, stack, release
from asked_sighting
where site_id = %(site_id)s and fingerprint = any(%(members)s::text[])
    and occurred_at >= %(start)s and occurred_at < %(end)s

-- name: counted
-- with: selected, mine
-- Each occurrence is joined with its hit once, and counted four times.
with seen as materialized (
    select
        mine.occurred_at, mine.position, mine.stack, coalesce(mine.release, '') as release,
        coalesce(hit.browser, '') as browser, coalesce(hit.pathname, '') as page
    from mine
    join hit on hit.position = mine.position and hit.occurred_at = mine.occurred_at
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s
),
counted as (
    select
        case when grouping(stack) = 0 then 'stack' when grouping(browser) = 0 then 'browser'
            when grouping(page) = 0 then 'page' else 'release' end as kind,
        stack, coalesce(browser, page, release) as value, count(*) as count,
        case when grouping(stack) = 0 then (array_agg(position order by occurred_at desc, position desc))[1] end as latest
    from seen
    group by grouping sets ((stack), (browser), (page), (release))
),
placed as (
    select
        *, count(*) over (partition by kind) as distinct_values,
        row_number() over (partition by kind order by count desc, stack, value collate "C") as place
    from counted
)
select kind, stack, value, count, latest, distinct_values
from placed
where place <= case kind when 'stack' then %(stacks)s else %(values)s end
order by kind, place

-- name: latest
-- with: selected, mine
with of_sessions as (
    select distinct on (session_id) occurred_at, position
    from mine
    order by session_id, occurred_at desc, position desc
)
select position
from of_sessions
order by occurred_at desc, position desc
limit %(sessions)s

-- name: histories
-- One look into the index for each fingerprint and end. Retention and undos erase hits before sightings.
with part as materialized (
    select owner, fingerprint
    from unnest(%(owners)s::text[], %(fingerprints)s::text[]) as part (owner, fingerprint)
),
first as (
    select distinct on (owner) owner, sighting.occurred_at, sighting.release
    from part
    cross join lateral (
        select occurred_at, position, release
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
        order by occurred_at, position
        limit 1
    ) as sighting
    order by owner, sighting.occurred_at, sighting.position
),
last as (
    select distinct on (owner) owner, sighting.occurred_at, sighting.position, sighting.release
    from part
    cross join lateral (
        select occurred_at, position, release
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
        order by occurred_at desc, position desc
        limit 1
    ) as sighting
    order by owner, sighting.occurred_at desc, sighting.position desc
)
select
    first.owner, first.occurred_at as first_seen, first.release as first_release, last.occurred_at as last_seen,
    last.release as last_release, hit.event_name, hit.properties
from first
join last on last.owner = first.owner
left join hit on hit.position = last.position and hit.occurred_at = last.occurred_at

-- name: returns
-- What happened since groups were resolved or muted: a statement of its own, since to plan it takes longer than to run it.
with part as materialized (
    select owner, fingerprint, resolved_at, next_release, muted_at, counted
    from unnest(
        %(owners)s::text[], %(fingerprints)s::text[], %(resolved)s::timestamptz[], %(next_release)s::boolean[],
        %(muted)s::timestamptz[], %(counted)s::bigint[]
    ) as part (owner, fingerprint, resolved_at, next_release, muted_at, counted)
),
-- The releases of what was resolved: from each the next one is looked up, however many occurrences each has.
of_release as materialized (
    select owner, fingerprint, resolved_at, next_release, release
    from part
    cross join lateral (
        with recursive known as (
            (
                select release
                from error_sighting
                where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint and release is not null
                order by release
                limit 1
            )
            union all
            select (
                select error_sighting.release
                from error_sighting
                where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
                    and error_sighting.release > known.release
                order by error_sighting.release
                limit 1
            )
            from known
            where known.release is not null
        )
        select release from known where release is not null
    ) as known
    where resolved_at is not null
),
-- Those in which it was seen before it was resolved.
before as materialized (
    select distinct owner, release
    from of_release
    cross join lateral (
        select
        from error_sighting
        where site_id = %(site_id)s and error_sighting.fingerprint = of_release.fingerprint
            and error_sighting.release = of_release.release and occurred_at <= of_release.resolved_at
        limit 1
    ) as sighting
),
returnable as materialized (
    select
        of_release.owner, fingerprint, of_release.release,
        case when before.release is null then resolved_at else resolved_at + %(grace)s end as since
    from of_release
    left join before on before.owner = of_release.owner and before.release = of_release.release
    where before.release is null or not next_release
),
regressed as (
    select distinct on (owner) owner, occurred_at, release
    from (
        select owner, returnable.release, sighting.occurred_at, sighting.position
        from returnable
        cross join lateral (
            select occurred_at, position
            from error_sighting
            where site_id = %(site_id)s and error_sighting.fingerprint = returnable.fingerprint
                and error_sighting.release = returnable.release and occurred_at > since
            order by occurred_at, position
            limit 1
        ) as sighting
        union all
        select owner, null, sighting.occurred_at, sighting.position
        from part
        cross join lateral (
            select occurred_at, position
            from error_sighting
            where site_id = %(site_id)s and error_sighting.fingerprint = part.fingerprint
                and release is null and occurred_at > part.resolved_at + %(grace)s
            order by occurred_at, position
            limit 1
        ) as sighting
    ) as each
    order by owner, occurred_at, position
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
            ) as sighting
        ) as occurrences
        from part
        where muted_at is not null
    ) as each
    group by owner
)
select
    owner, regressed.occurred_at as regressed_at, regressed.release as regressed_release,
    coalesce(since.occurrences, 0) as since_mute
from regressed
full join since using (owner)

-- name: former_resolutions
-- Members resolved messages in versions that wrote so: each counts for the cause of its latest occurrence until the grace was over.
select sighting.fingerprint, max(resolved.at) as resolved_at
from (
    select distinct on (md5(data ->> 'message'), data ->> 'message') data ->> 'message' as message, recorded_at as at
    from event
    where stream = %(stream)s and type = 'error-resolved'
    order by md5(data ->> 'message'), data ->> 'message', version desc
) as resolved
cross join lateral (
    select message_id
    from error_message
    where error_message.site_id = %(site_id)s and digest = sha256(convert_to(resolved.message, 'UTF8'))
    offset 0
) as known
-- From the end of the index: of all occurrences of the message, one is read.
cross join lateral (
    select occurred_at, position
    from error_occurrence
    where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = known.message_id
        and occurred_at <= resolved.at + %(grace)s
    order by occurred_at desc, position desc
    limit 1
) as latest
cross join lateral (
    select fingerprint
    from error_sighting
    where error_sighting.site_id = %(site_id)s and error_sighting.occurred_at = latest.occurred_at
        and error_sighting.position = latest.position
    offset 0
) as sighting
group by sighting.fingerprint

-- name: occurrences
-- A hit belongs to its visitor's latest session that starts at or before its time.
select hit.*, sighting.session_id, sighting.known_user
from hit
cross join lateral (
    select session_id, user_id as known_user
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as sighting
where hit.position = any(%(positions)s::bigint[]) and hit.site_id = %(site_id)s
