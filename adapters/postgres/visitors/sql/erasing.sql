-- One batch of the erasure of the hits of a person: some hits with all that is derived of them (docs/read/visitor-data.md#erasing).

-- name: note_erasure
insert into hit_erasure (site_id, reason, first_position, since, until)
values (
    %(site_id)s, 'visitor ' || %(erasure)s::text || ' ' || %(since)s::timestamptz::text, %(first_position)s, %(since)s, %(until)s
)
on conflict (site_id, reason) do update set
    first_position = least(hit_erasure.first_position, excluded.first_position),
    until = greatest(hit_erasure.until, excluded.until), finished_at = null

-- name: finish_notes
update hit_erasure
set finished_at = statement_timestamp()
where site_id = %(site_id)s and starts_with(reason, 'visitor ' || %(erasure)s::text) and finished_at is null

-- name: erased_stretches
-- The runs that lost hits, in all batches.
select lower(span) as since, upper(span) as until
from (
    select unnest(range_agg(tstzrange(since, until))) as span
    from hit_erasure
    where site_id = %(site_id)s and starts_with(reason, 'visitor ' || %(erasure)s::text)
) as noted

-- name: erase_measures
-- A measure goes with its pageview.
delete from engagement
where site_id = %(site_id)s and pageview_key = any(array(select pageview_key from run_hit where is_gone))
    and not exists (
        select from hit as kept
        where kept.site_id = %(site_id)s and kept.pageview_key = engagement.pageview_key
            and not exists (
                select from visitor_erasure_hit as noted
                where noted.erasure = %(erasure)s and noted.occurred_at = kept.occurred_at
                    and noted.position = kept.position
            )
    )

-- name: erase_hits
delete from hit
using run_hit
where is_gone and hit.position = run_hit.position and hit.occurred_at = run_hit.occurred_at

-- name: subtract_hits
update traffic_bucket
set
    pageviews = traffic_bucket.pageviews - gone.pageviews, custom_events = traffic_bucket.custom_events - gone.custom_events,
    performance_measures = traffic_bucket.performance_measures - gone.performance_measures,
    outbound_clicks = traffic_bucket.outbound_clicks - gone.outbound_clicks, errors = traffic_bucket.errors - gone.errors
from (
    select
        bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors
    from run_hit
    where is_gone
    group by 1
) as gone
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = gone.bucket

-- name: lower_quarter_positions
-- Only where a hit that went was the first or the last one: to look through a quarter of an hour takes long on a large site.
with counted as materialized (
    select quarter, kept.first_position, kept.last_position
    from (
        select distinct quarter
        from run_hit
        join quarter_position on site_id = %(site_id)s and quarter = bucket_of(occurred_at)
        where is_gone and (
            position <= first_position or position >= last_position
            or not exists (
                select from traffic_bucket
                where traffic_bucket.site_id = %(site_id)s and bucket = quarter
                    and pageviews + custom_events + performance_measures + outbound_clicks + errors > 0
            )
        )
    ) as touched
    cross join lateral (
        select min(position) as first_position, max(position) as last_position
        from hit
        where hit.site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
            and position + 0 <= %(projected)s
    ) as kept
),
emptied as (
    delete from quarter_position
    using counted
    where quarter_position.site_id = %(site_id)s and quarter_position.quarter = counted.quarter
        and counted.last_position is null
)
update quarter_position
set first_position = counted.first_position, last_position = counted.last_position
from counted
where quarter_position.site_id = %(site_id)s and quarter_position.quarter = counted.quarter
    and counted.last_position is not null

-- name: lower_day_positions
with counted as materialized (
    select day, (
        select max(last_position)
        from quarter_position
        where site_id = %(site_id)s and quarter >= day and quarter < day + interval '24 hours'
    ) as position
    from (select distinct day_of(occurred_at) as day from run_hit where is_gone) as touched
),
emptied as (
    delete from day_position
    using counted
    where day_position.site_id = %(site_id)s and day_position.day = counted.day and counted.position is null
)
update day_position
set position = counted.position
from counted
where day_position.site_id = %(site_id)s and day_position.day = counted.day and day_position.position > counted.position

-- name: remove_empty_buckets
delete from traffic_bucket
where site_id = %(site_id)s and bucket >= %(since)s and bucket < %(until)s
    and pageviews = 0 and custom_events = 0 and performance_measures = 0 and outbound_clicks = 0 and errors = 0
    and new_messages = 0 and sessions = 0 and open_at_start = 0

-- name: remove_empty_conversion_buckets
delete from conversion_bucket
where site_id = %(site_id)s and bucket >= %(since)s and bucket < %(until)s and conversions = 0 and open_at_start = 0

-- name: remove_empty_conversion_days
delete from conversion_day
where site_id = %(site_id)s and day >= day_of(%(since)s) and day < %(until)s and conversions = 0 and open_at_start = 0

-- name: erase_marks
-- A mark goes with the last hit of the rest of its run.
delete from session_mark
where site_id = %(site_id)s and visitor_id in (select visitor_id from run_hit)
    and not exists (
        select from hit
        where hit.site_id = session_mark.site_id and hit.visitor_id = session_mark.visitor_id
            and occurred_at >= cutoff and occurred_at <= last_at + interval '30 minutes'
    )

-- name: reduce_ledger
-- Rows of imports are left out for another reason from now on, so that a verification of the import adds up.
with gone as materialized (
    select import_id, (occurred_at at time zone 'UTC')::date::text as day, type::text as type, count(*) as rows
    from run_hit
    where is_gone and import_id is not null
    group by 1, 2, 3
),
reduced as (
    update import_ledger
    set rows = import_ledger.rows - gone.rows
    from gone
    where import_ledger.import_id = gone.import_id and import_ledger.day = gone.day
        and import_ledger.type = gone.type and import_ledger.reason = ''
)
insert into import_ledger as kept (site_id, import_id, day, type, reason, rows)
select %(site_id)s, import_id, day, type, %(reason)s, rows from gone
on conflict (import_id, day, type, reason) do update set rows = kept.rows + excluded.rows

-- name: count_gone
update visitor_erasure
set
    visits = visitor_erasure.visits + gone.visits, hits = visitor_erasure.hits + gone.hits, errors = visitor_erasure.errors + gone.errors,
    measures = visitor_erasure.measures + %(measures)s
from (
    select
        count(*) as hits, count(*) filter (where type = 'error') as errors,
        (
            select count(*)
            from regrouped
            where exists (
                select from run_hit as of_visit
                where of_visit.is_gone and of_visit.visitor_id = regrouped.visitor_id
                    and of_visit.occurred_at >= regrouped.started_at and of_visit.occurred_at <= regrouped.ended_at
            )
        ) as visits
    from run_hit
    where is_gone
) as gone
where erasure = %(erasure)s

-- name: forget_gone
delete from visitor_erasure_hit
using run_hit
where erasure = %(erasure)s and is_gone
    and visitor_erasure_hit.occurred_at = run_hit.occurred_at and visitor_erasure_hit.position = run_hit.position

-- name: forget_missing
-- Forgets those of the next hits to go that others have erased: retention, another erasure, or an import that was taken back.
delete from visitor_erasure_hit as noted
using (
    select occurred_at, position
    from visitor_erasure_hit
    where erasure = %(erasure)s
    order by occurred_at, position
    limit %(limit)s
) as next
where noted.erasure = %(erasure)s and noted.occurred_at = next.occurred_at and noted.position = next.position
    and not exists (
        select from hit where hit.position = noted.position and hit.occurred_at = noted.occurred_at
    )

-- name: has_noted
select exists (select from visitor_erasure_hit where erasure = %(erasure)s) as noted
