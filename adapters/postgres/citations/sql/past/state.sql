-- state
-- What decides whether and how the past can be answered: the positions of this snapshot, those that had been reached before
-- the moment of the question, and the first hit of the site that is left; an erasure of hits that the positions cover, after
-- these were named or at the same time. The clocks of the service and of the server may differ by seconds.
--
-- And what later hits have changed: `newest` is the last one; from `later_since` on, all hits are later; and `is_touched`
-- says whether there are some in the days around the span. `erased_at` and `numbers` tell whether an earlier replay still holds: the last
-- erasure, and the goals whose conversions the read models hold; others are matched by the reports.
select
    checkpoint.position as traffic, checkpoint.sessions,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    coalesce(before.traffic, 0) as traffic_before, coalesce(before.journal, 0) as journal_before,
    (select min(session_id) from {schema}.session where site_id = %(site_id)s) as first_hit,
    erased.reason as erased, erased.since as erased_since, erased.until as erased_until,
    own.later_since,
    coalesce((select max(position) from {schema}.day_position where site_id = %(site_id)s), 0) as newest,
    exists ({touched})
        or exists (
            select from {schema}.quarter_position
            where site_id = %(site_id)s and quarter >= own.later_since and quarter < %(until)s
        ) as is_touched,
    (
        select max(coalesce(finished_at, clock_timestamp()))::text from hit_erasure where site_id = %(site_id)s
    ) as erased_at,
    (
        select array_agg(number order by number)
        from {schema}.goal_version
        where site_id = %(site_id)s and fill_from is null and set_aside is null
    ) as numbers
from projection_checkpoint as checkpoint
cross join lateral (
    select coalesce(
        (
            select quarter + interval '15 minutes'
            from {schema}.quarter_position
            where site_id = %(site_id)s and first_position <= %(last)s
            order by quarter desc
            limit 1
        ),
        '9000-01-01Z'
    ) as later_since
) as own
left join lateral (
    select traffic, journal
    from position_minute
    where minute <= %(at)s::timestamptz - interval '65 seconds'
    order by minute desc
    limit 1
) as before on true
left join lateral (
    select reason, case when since > '-infinity' then since end as since, until
    from hit_erasure
    where site_id = %(site_id)s
        and first_position <= %(traffic)s
        and coalesce(finished_at, 'infinity') >= %(at)s::timestamptz - interval '5 seconds'
        and (%(history)s or since < %(until)s::timestamptz and until > %(since)s::timestamptz)
    order by until desc
    limit 1
) as erased on true
where checkpoint.name = 'reports'
