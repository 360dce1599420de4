-- The erasure of events that are older than a site keeps them.

-- name: erase_hits
-- Erases hits of one month, which is one partition, so that places tell its rows apart.
with looked_at as materialized (
    select ctid as place, position, visitor_id, occurred_at
    from hit
    where site_id = %(site_id)s
        and occurred_at >= %(first)s and occurred_at < %(end)s and occurred_at < %(before)s
        and position <= %(projected)s
        and (occurred_at, position) > (%(after_time)s::timestamptz, %(after_position)s::bigint)
    order by occurred_at, position
    limit %(limit)s
),
-- Sessions are erased as a whole: one that ends after the cutoff keeps its hits.
erased as (
    delete from hit
    where occurred_at >= %(first)s and occurred_at < %(end)s and ctid = any(array(
        select place
        from looked_at
        left join lateral (
            select ended_at
            from session
            where session.site_id = %(site_id)s
                and session.visitor_id = looked_at.visitor_id
                and session.started_at <= looked_at.occurred_at
            order by session.started_at desc
            limit 1
        ) as own on true
        where coalesce(own.ended_at < %(before)s, true)
    ))
    returning pageview_key
),
-- A measure goes with its pageview.
measures as (
    delete from engagement
    using erased
    where engagement.site_id = %(site_id)s and engagement.pageview_key = erased.pageview_key
        and not exists (
            select from hit as kept
            where kept.site_id = %(site_id)s and kept.pageview_key = erased.pageview_key and kept.occurred_at >= %(before)s
        )
)
select
    occurred_at as after_time, position as after_position, (select count(*) from erased) as erased
from looked_at
order by occurred_at desc, position desc
limit 1

-- name: erase_sessions
delete from session
where ctid = any(array(
    select ctid
    from session
    where site_id = %(site_id)s and started_at < %(before)s and ended_at < %(before)s
    limit %(limit)s
))

-- name: erase_refused_bots
-- Days of the time zone of the site, which end up to twelve hours after those of UTC: one that the cutoff can lie in is kept.
delete from refused_bot
where ctid = any(array(
    select ctid
    from refused_bot
    where site_id = %(site_id)s and day < (%(before)s::timestamptz at time zone 'UTC')::date - 1
    limit %(limit)s
))

-- name: note_erasure
insert into hit_erasure as kept (site_id, reason, first_position, since, until)
values (%(site_id)s, 'retention', 0, '-infinity', %(before)s)
on conflict (site_id, reason) do update set until = greatest(kept.until, excluded.until), finished_at = null

-- name: finish_erasure
update hit_erasure
set finished_at = statement_timestamp()
where site_id = %(site_id)s and reason = 'retention' and finished_at is null

-- name: erase_conversions
delete from conversion
where ctid = any(array(
    select ctid from conversion where site_id = %(site_id)s and ended_at < %(before)s limit %(limit)s
))

-- name: erase_day_positions
delete from day_position
where site_id = %(site_id)s and day < %(before)s
    and not exists (
        select from traffic_bucket
        where traffic_bucket.site_id = day_position.site_id and bucket >= day and bucket < day + interval '24 hours'
    )

-- name: erase_quarter_positions
-- The quarter of the cutoff can have later hits.
delete from quarter_position where site_id = %(site_id)s and quarter < bucket_of(%(before)s)

-- name: move_new_messages
-- Messages that retention left with a first occurrence after the cutoff; count_traffic_buckets counts the others.
update traffic_bucket
set new_messages = new_messages + moved.messages
from (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and first_seen >= %(before)s
    group by 1
) as moved
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = moved.bucket

-- name: count_hits
select count(*) as hits from hit where site_id = %(site_id)s and occurred_at < %(before)s

-- name: announce
insert into retained (site_id, since)
values (%(site_id)s, %(before)s)
on conflict (site_id) do update set since = greatest(retained.since, excluded.since)

-- name: mark_cuts
-- The runs of which some sessions go and others stay: those are cut by days. What stays first reaches to the cutoff and lasts at
-- most a day, or it begins soon after what goes last. The marks that are there already separate runs.
with marked as materialized (
    with recursive run as (
        select
            kept.site_id, kept.visitor_id, day_of(kept.started_at) as cutoff, gone.started_at as first_at,
            gone.ended_at as last_at
        from session as kept
        cross join lateral (
            select started_at, ended_at
            from session
            where session.site_id = kept.site_id and session.visitor_id = kept.visitor_id
                and session.started_at < kept.started_at
            order by session.started_at desc
            limit 1
        ) as gone
        where kept.site_id = %(site_id)s and kept.ended_at >= %(before)s
            and kept.started_at >= %(before)s::timestamptz - interval '24 hours'
            and kept.started_at <= %(before)s::timestamptz + interval '30 minutes'
            and gone.ended_at < %(before)s and gone.ended_at >= kept.started_at - interval '30 minutes'
            -- Not so where a former version formed sessions, which could overlap.
            and gone.ended_at < day_of(kept.started_at)
            and not exists (
                select from session_mark as mark
                where mark.site_id = kept.site_id and mark.visitor_id = kept.visitor_id
                    and mark.cutoff > gone.ended_at and mark.cutoff <= kept.started_at
            )
        union all
        select run.site_id, run.visitor_id, run.cutoff, earlier.started_at, run.last_at
        from run
        cross join lateral (
            select started_at, ended_at
            from session
            where session.site_id = run.site_id and session.visitor_id = run.visitor_id
                and session.started_at < run.first_at
            order by session.started_at desc
            limit 1
        ) as earlier
        where earlier.ended_at >= run.first_at - interval '30 minutes'
            and not exists (
                select from session_mark as mark
                where mark.site_id = run.site_id and mark.visitor_id = run.visitor_id
                    and mark.cutoff > earlier.ended_at and mark.cutoff <= run.first_at
            )
    ),
    cut as (
        select site_id, visitor_id, cutoff, min(first_at) as first_at, min(last_at) as last_at
        from run
        group by site_id, visitor_id, cutoff
    )
    select cut.site_id, cut.visitor_id, cut.cutoff, least(cut.first_at, min(mark.first_at)) as first_at, cut.last_at
    from cut
    left join session_mark as mark on mark.site_id = cut.site_id and mark.visitor_id = cut.visitor_id
        and mark.cutoff <= cut.first_at and cut.first_at <= mark.last_at + interval '30 minutes'
    group by cut.site_id, cut.visitor_id, cut.cutoff, cut.first_at, cut.last_at
)
insert into session_mark (site_id, visitor_id, cutoff, first_at, last_at)
select site_id, visitor_id, cutoff, first_at, last_at from marked

-- name: months
select
    pg_class.relname as name,
    to_date(right(pg_class.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' as first,
    (to_date(right(pg_class.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' as end
from pg_inherits
join pg_class on pg_class.oid = pg_inherits.inhrelid
where pg_inherits.inhparent = 'hit'::regclass
order by pg_class.relname

-- name: lock_log
lock table only hit in access exclusive mode

-- name: settle_measures_anew
-- Lets each measure be looked at again, after which those of dropped pageviews go.
update engagement_settled set position = 0

-- name: sites_of_month
with recursive present as (
    (select site_id from hit where occurred_at >= %(first)s and occurred_at < %(end)s order by site_id limit 1)
    union all
    select (
        select site_id
        from hit
        where occurred_at >= %(first)s and occurred_at < %(end)s and site_id > present.site_id
        order by site_id
        limit 1
    )
    from present
    where present.site_id is not null
)
select site_id
from present
where site_id is not null
