-- Positions of the logs, hits that were stored late, and the state of the past that is asked about.

-- name: check
-- Whether the server still answers.
select

-- name: look_last_in_temporary
-- Reports find the tables of the schema before temporary ones of the same names. They may read
-- views of the tables of the store, in a schema before them; temporary tables are like the tables themselves.
select
    nspname as schema,
    path[cardinality(path)] as stored,
    set_config('search_path', current_setting('search_path') || ', pg_temp', false) as search_path
from current_schemas(false) as path
join pg_class as read on read.oid = to_regclass('hit')
join pg_namespace on pg_namespace.oid = read.relnamespace

-- name: clear
truncate changed_session, aside, past_session, past_conversion, past_error_session, pg_temp.traffic_bucket,
    pg_temp.conversion_bucket, pg_temp.conversion_day, later_hit, slice, session_delta, matches, conversion_delta, regrouped,
    pg_temp.session, pg_temp.conversion

-- name: clear_working_tables
-- What only a replay itself needs.
truncate later_hit, slice, session_delta, matches, conversion_delta, regrouped, pg_temp.session, pg_temp.conversion

-- name: begin
-- Only temporary tables are written. The catalog knows them, and nothing waits until it is on the disk. Reports have a limit
-- of their own.
set transaction isolation level repeatable read;
set local synchronous_commit = off;
set local idle_in_transaction_session_timeout = '60s';
set local statement_timeout = '120s';
set local work_mem = '32MB'

-- name: state
-- with: later as own
-- views: touched
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
    least(
        (select min(session_id) from session where site_id = %(site_id)s),
        -- Erasures of visitors count here, and no others: answers about other times stay.
        (select min(first_position) from hit_erasure where site_id = %(site_id)s and starts_with(reason, 'visitor '))
    ) as first_hit,
    erased.reason as erased, erased.since as erased_since, erased.until as erased_until,
    own.later_since,
    coalesce((select max(position) from day_position where site_id = %(site_id)s), 0) as newest,
    exists (select from touched)
        or exists (
            select from quarter_position
            where site_id = %(site_id)s and quarter >= own.later_since and quarter < %(until)s
        ) as is_touched,
    (
        select max(coalesce(finished_at, clock_timestamp()))::text from hit_erasure where site_id = %(site_id)s
    ) as erased_at,
    (
        select array_agg(number order by number)
        from goal_version
        where site_id = %(site_id)s and fill_from is null and set_aside is null
    ) as numbers
from projection_checkpoint as checkpoint
cross join own
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
        and (
            %(history)s
            or case
                -- Whole runs are noted: no other session, of any state, has to do with the visitor.
                when starts_with(reason, 'visitor ') then since < %(end)s::timestamptz and until > %(start)s::timestamptz
                else since < %(until)s::timestamptz and until > %(since)s::timestamptz
            end
        )
    order by until desc
    limit 1
) as erased on true
where checkpoint.name = 'reports'

-- name: later
select coalesce(
    (
        select quarter + interval '15 minutes'
        from quarter_position
        where site_id = %(site_id)s and first_position <= %(last)s
        order by quarter desc
        limit 1
    ),
    '9000-01-01Z'
) as later_since

-- name: touched
-- Quarters of an hour around the span with hits of both sides: from the `later_since` of `own` on, all are later.
select quarter, last_position
from own
cross join day_position
join quarter_position using (site_id)
where site_id = %(site_id)s and position > %(traffic)s
    and quarter >= day and quarter < day + interval '24 hours'
    and last_position > %(traffic)s and quarter < later_since
    and quarter > %(since)s::timestamptz - interval '15 minutes' and quarter < %(until)s

-- name: end_writing
set transaction read only

-- name: count
-- views: arrived
-- Reads only the days of the span that have hits after the first position.
select origin, count(*) as count
from day_position as its
join arrived as hit on hit.site_id = its.site_id and occurred_at >= its.day and occurred_at < its.day + interval '24 hours'
where its.site_id = %(site_id)s and its.position > %(since)s
    and its.day > %(start)s::timestamptz - interval '24 hours' and its.day < %(end)s
    and occurred_at >= %(start)s and occurred_at < %(end)s
    and hit.position > %(since)s and hit.position <= %(until)s
group by 1

-- name: count_measures
-- views: measured_between as measure, intake/measures/pageview
select count(distinct measured_at) as count
from pageview
where position <= %(until)s and occurred_at >= %(start)s and occurred_at < %(end)s

-- name: measured_between
select * from engagement where site_id = %(site_id)s and position > %(since)s and position <= %(until)s

-- name: arrived
-- Hits, and how each came.
select
    *, case
        when import_id is not null then 'imports'
        when received_at - occurred_at > interval '5 minutes' then 'late_events'
        else 'events'
    end as origin
from hit

-- name: at
-- The positions at the end of the last minute that was over at an instant.
select traffic, journal
from position_minute
where minute < date_trunc('minute', %(at)s::timestamptz, 'UTC')
order by minute desc
limit 1

-- name: first_minute
select min(minute) + interval '1 minute' as first from position_minute

-- name: present
-- How far the reports of this snapshot have read the traffic log, and the last event of the journal in it; of a
-- cell, up to where it knows the journal. And the definition of the sessions that they read.
select
    position as traffic,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    sessions
from projection_checkpoint
where name = 'reports'
