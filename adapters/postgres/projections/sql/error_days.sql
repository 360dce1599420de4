-- Counts of errors by cause for days that are over. They say who met an error on the day before, too: a change of a day is one
-- of the day after it.

-- name: forget_touched
-- Leaves days out that are not over, with an hour to spare for transactions that began before another one: they have no counts. Slices
-- are folded without nested loops: the lists let the planner look for the others by the key, instead of reading the whole table.
delete from error_day
using (
    select distinct site_id, day_of(occurred_at) + later as day
    from new_errors
    cross join unnest(array[interval '0 hours', interval '24 hours']) as later
    where day_of(occurred_at) + later < now() - interval '23 hours'
) as touched
where error_day.site_id = touched.site_id and error_day.day = touched.day
    and error_day.site_id = any(array(select distinct site_id from new_errors))
    and error_day.day = any(array(
        select distinct day_of(occurred_at) + later
        from new_errors
        cross join unnest(array[interval '0 hours', interval '24 hours']) as later
    ))

-- name: mark_touched
insert into error_day_due (site_id, day, since)
select distinct site_id, day_of(occurred_at) + later, now()
from new_errors
cross join unnest(array[interval '0 hours', interval '24 hours']) as later
on conflict do nothing

-- name: forget_span
-- Sessions with hits in the span may last until a day after it. The days that were counted are due again.
with forgotten as (
    delete from error_day
    where site_id = %(site_id)s
        and day > %(start)s::timestamptz - interval '24 hours' and day < %(end)s::timestamptz + interval '48 hours'
    returning site_id, day
)
insert into error_day_due (site_id, day, since)
select distinct site_id, day, now() from forgotten
on conflict do nothing

-- name: take_due
-- A day that is over. One that changes all the time is counted once in a while.
delete from error_day_due
where (day, site_id) in (
    select day, site_id
    from error_day_due
    where day < now() - interval '24 hours' and since < now() - %(rest)s::interval
    order by day desc, site_id desc
    limit 1
)
returning site_id, day

-- name: count_day
-- A day that is counted already is counted anew.
insert into error_day (site_id, day, fingerprint, occurrences, sessions, continued)
select %(site_id)s, %(day)s::timestamptz, fingerprint, sum(occurrences), count(*), count(*) filter (where before > 0)
from (
    select
        fingerprint, count(*) filter (where occurred_at >= %(day)s::timestamptz) as occurrences,
        count(*) filter (where occurred_at < %(day)s::timestamptz) as before
    from error_sighting
    where site_id = %(site_id)s
        and occurred_at >= %(day_before)s and occurred_at < %(day_after)s
    group by fingerprint, session_id
) as pair
where occurrences > 0
group by fingerprint
on conflict (site_id, day, fingerprint) do update set
    occurrences = excluded.occurrences, sessions = excluded.sessions, continued = excluded.continued
