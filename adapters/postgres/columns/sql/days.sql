-- Days of sites, which are open, or closed for the making of files, each with the version of its rows.

-- name: days_are_due
-- views: due
-- Whether days are due, and whether there are days that another store closed. Files hold no sessions of the former definition:
-- their days are closed when these have been formed anew.
select
    exists (select name from projection_checkpoint where name = 'reports' and sessions = 2) and exists (select day from due) as due,
    exists (
        select day from column_day where state = 'closed' and (store < column_store() or store > column_store())
    ) as are_foreign

-- name: due
-- Days that are over and have been quiet, or have been restless for an hour. Days that are not over are due every hour, of those
-- that are closed only the ones that have grown by an eighth. Without `quiet` no day has to be over. Of the open days of today, of
-- which every site has one, only those are read that have been open for an hour.
-- Those before a place are asked for, in the order of days and sites: what was closed before it has left dead entries in the index,
-- which stay for as long as any snapshot does, and all of them would be read again.
select site_id, day, %(quiet)s::interval is not null and day >= now() - interval '24 hours' as is_present
from (
    -- In the order of an index each, up to a limit that makes it cheapest: the statistics do not know that days which are over are
    -- few. What is left out is found when these have been closed.
    (
        select site_id, day, since, changed_at, true as has_grown
        from column_day
        where state = 'open' and day < coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
            and (day, site_id) < (%(before_day)s::timestamptz, %(before_site)s::bigint)
            and (
                %(quiet)s::interval is null
                or changed_at < now() - %(quiet)s::interval
                or day < now() - interval '25 hours' and since < now() - interval '1 hour'
            )
            and site_id not in (select deleted_site from erasure)
        order by day desc, site_id desc
        limit %(days)s
    )
    union all
    (
        select site_id, day, since, changed_at, true
        from column_day
        where state = 'open' and since < now() - interval '1 hour'
            and day >= coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
            and %(before_day)s::timestamptz >= coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
        order by since
        limit 1000
    )
    union all
    select site_id, day, since, changed_at, changes * 8 > sessions
    from column_day
    where state = 'closed' and changes * 20 > sessions and day <= %(before_day)s
) as unsettled
where
    (
        %(quiet)s::interval is null
        or day < now() - interval '24 hours' - %(quiet)s::interval and changed_at < now() - %(quiet)s::interval
        or day < now() - interval '25 hours' and since < now() - interval '1 hour'
        or day >= now() - interval '24 hours' and since < now() - interval '1 hour' and has_grown
    )
    and site_id not in (select deleted_site from erasure)

-- name: close_days
-- views: due as due_day
-- The latest days first, which are asked for most often. A day that is not over stays open until it has many hits.
with due as materialized (
    select * from due_day order by day desc, site_id desc limit %(days)s
),
measured as materialized (
    select
        site_id, day, is_present,
        (
            select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0)
            from traffic_bucket
            where traffic_bucket.site_id = due.site_id and bucket >= day and bucket < day + interval '24 hours'
        ) as hits
    from due
),
counted as materialized (
    select
        site_id, day, is_present, is_present and hits < %(present)s as waits, hits,
        gen_random_uuid() as version, column_store() as store,
        (
            select count(*)
            from (
                select
                from session
                where session.site_id = measured.site_id
                    and started_at >= day and started_at < day + interval '24 hours'
                -- Whether there are any is enough for a day that stays open.
                limit case when is_present and hits < %(present)s then 1 end
            ) as one
        ) as sessions
    from measured
),
forgotten as (
    delete from column_change using due where column_change.site_id = due.site_id and column_change.day = due.day
),
empty as (
    delete from column_day
    using counted
    where column_day.site_id = counted.site_id and column_day.day = counted.day and counted.sessions = 0
),
waiting as (
    update column_day
    set state = 'open', version = null, store = null, sessions = 0, changes = 0, since = now()
    from counted
    where column_day.site_id = counted.site_id and column_day.day = counted.day and counted.sessions > 0
        and waits
),
closed as (
    update column_day
    set
        state = case when hits < %(small)s then 'small' else 'closed' end::column_day_state,
        version = case when hits < %(small)s then null else counted.version end,
        store = case when hits < %(small)s then null else counted.store end,
        sessions = counted.sessions, held_hits = counted.hits, changes = 0, since = now()
    from counted
    where column_day.site_id = counted.site_id and column_day.day = counted.day and counted.sessions > 0
        and not waits
)
select
    count(*) as days, count(*) filter (where not waits) as closed,
    coalesce(bool_or(is_present and not waits), false) as is_present,
    array_agg(distinct site_id) filter (where not waits and hits < %(small)s) as small_sites,
    (array_agg(day order by day, site_id))[1] as before_day, (array_agg(site_id order by day, site_id))[1] as before_site
from counted

-- name: close_small_days
-- Settled small days of some sites, where these have many hits together; what they hold has not changed since they were closed.
with many as materialized (
    select site_id
    from column_day
    where site_id = any(%(sites)s::bigint[]) and state = 'small' and day < now() - %(settled)s::interval
    group by site_id
    having sum(held_hits) >= %(together)s
),
chosen as materialized (
    select site_id, day, gen_random_uuid() as version, column_store() as store
    from column_day
    join many using (site_id)
    where state = 'small' and day < now() - %(settled)s::interval
)
update column_day
set state = 'closed', version = chosen.version, store = chosen.store, since = now()
from chosen
where column_day.site_id = chosen.site_id and column_day.day = chosen.day

-- name: open_foreign_days
-- Days that another store closed have no version here; they are due at once.
with foreign_day as materialized (
    select site_id, day
    from column_day
    where state = 'closed' and (store < column_store() or store > column_store())
    limit %(limit)s
),
opened as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0,
        since = '-infinity', changed_at = '-infinity'
    from foreign_day
    where column_day.site_id = foreign_day.site_id and column_day.day = foreign_day.day
),
forgotten as (
    delete from column_change
    using foreign_day
    where column_change.site_id = foreign_day.site_id and column_change.day = foreign_day.day
)
select count(*) as days from foreign_day

-- name: reopen_changed_days
-- Days of a site that files do not hold as they are now; they are due at once. Days from the returned instant on are not over,
-- or have not been for an hour.
with reopened as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0,
        since = '-infinity', changed_at = '-infinity'
    where site_id = %(site_id)s and (state <> 'closed' or changes > 0)
        and day < now() - interval '25 hours'
    returning site_id, day
),
forgotten as (
    delete from column_change
    using reopened
    where column_change.site_id = reopened.site_id and column_change.day = reopened.day
)
select now() - interval '25 hours' as over_before

-- name: hasten_days
-- Days that are open, or have changed, are due at once.
update column_day
set since = '-infinity', changed_at = '-infinity'
where state = 'open' or changes * 20 > sessions

-- name: revoke_days
-- Days of a site that a span of time touches are open again, with no version and no recorded changes.
with revoked as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0, changed_at = now(),
        since = case when state = 'open' then since else now() end
    where site_id = %(site_id)s
        and day > %(start)s::timestamptz - interval '24 hours' and day < %(end)s::timestamptz
        and (state <> 'open' or changed_at < now() - interval '10 seconds')
    returning site_id, day, state
)
delete from column_change
using revoked
where column_change.site_id = revoked.site_id and column_change.day = revoked.day

-- name: unclosed_days
select count(*) as days
from column_day
where site_id = %(site_id)s and day < %(over_before)s and (state <> 'closed' or store < column_store() or store > column_store())

-- name: closed_days
select site_id, day, version
from column_day
where state = 'closed' and store = column_store() and (%(site_id)s::bigint is null or site_id = %(site_id)s)
order by site_id, day

-- name: closed_sites
-- Sites with days that were closed since an instant, the instant up to which they are known, and the set of read models, where
-- another one has other days.
select
    now() as at,
    (select set_id from projection_checkpoint where name = 'reports') as set_id,
    array(select distinct site_id from column_day where state = 'closed' and since >= %(since)s) as sites

-- name: hits_of_days
select coalesce(held_hits, 0) as hits
from unnest(%(sites)s::bigint[], %(days)s::timestamptz[]) with ordinality as asked (site_id, day, place)
left join column_day using (site_id, day)
order by place

-- name: next_set
-- Whether a rebuild is filling its set of tables, and where those in use are. What a rebuild that was killed has left is none.
select
    current_schema() as used,
    to_regclass(quote_ident(%(schema)s) || '.column_day') is not null and exists (
        select from pg_locks
        where locktype = 'advisory' and classid = lock_class()::oid and objid = %(lock)s::integer::oid and granted
            and database = (select oid from pg_database where datname = current_database())
    ) as is_there
