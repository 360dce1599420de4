-- Rows that no file holds yet.

-- name: coverage
-- The days of a span, and the versions that they have now, if any. Those that another store gave, of which this one is a copy, are
-- not current.
select day, case when state = 'closed' and store = column_store() then version end as version
from column_day
where site_id = %(site_id)s
    and (day = any(%(days)s::timestamptz[]) or day > %(start)s::timestamptz - interval '48 hours' and day < %(end)s)

-- name: changed
select day, session_id from column_change where site_id = %(site_id)s and day = any(%(days)s::timestamptz[])

-- name: state
-- How far the read models have read the log; and what changes when rows of the site change by other means than later hits: an
-- erasure, during which no two answers have the same epoch, an exchange of the read models, and another store. It begins with
-- a word while the sessions are those of the former definition.
select
    position,
    concat_ws(
        ' ', case when sessions = 1 then 'former' end, column_store(), set_id,
        (select max(coalesce(finished_at, clock_timestamp())) from hit_erasure where site_id = %(site_id)s)
    ) as epoch
from projection_checkpoint
where name = 'reports'

-- name: sightings
-- with: costs/first
-- Where sessions met groups first, as lists in one JSON text: rows would take several times as long to be handed over.
select json_build_object(
    'owner', coalesce(json_agg(owner), '[]'), 'session', coalesce(json_agg(session_id), '[]'),
    'position', coalesce(json_agg(position), '[]')
)::text as sightings
from first

-- name: errors_met
-- One error of each session is enough, but for states in which sessions were others.
select coalesce(json_agg(position), '[]')::text as positions
from (
    select min(position) as position
    from error_sighting
    where site_id = %(site_id)s and fingerprint = any(%(fingerprints)s)
        and occurred_at >= %(start)s and occurred_at < %(end)s
    group by case when %(earlier)s then position else session_id end
) as met

-- name: error_histories
-- with: asked_message as message
-- views: errors/message_with_cause
-- What the whole history of a site says of some messages.
select message, error_name, first_seen, fingerprint from message_with_cause

-- name: asked_message
select error_message.*
from unnest(%(messages)s::text[]) as asked (text)
join error_message on site_id = %(site_id)s and digest = sha256(convert_to(asked.text, 'UTF8'))

-- name: earlier
-- The sessions that a question about the past sees no more, and those that it sees as they were.
select
    array(select session_id from changed_session) as replaced,
    array(select session_id from past_session) as formed

-- name: hits
-- with: selected
-- views: own_hit as measurable, columns/export/with_engagement
-- With all columns that files have but the attributes of sessions, as `hits` and `sessions` in adapters/columns/sql/making.sql make
-- them: for a few rows DuckDB takes three times as long to plan that as to read them.
select
    hit.session_id, {columns}, session_signed_visitor_id as signed_visitor_id,
    case when type = 'pageview' then
        (extract(epoch from lead(occurred_at) over own - occurred_at) * 1000000)::integer
    end as until_next,
    engaged_ms, scroll_percent
from with_engagement as hit
window own as (partition by hit.session_id order by occurred_at, position)

-- name: own_hit
-- All hits of the sessions: of the stretches of time that they touch the hits are read once, and of the months of the log only those
-- are planned that all of them lie in. Hits stored since the checkpoint have no sessions yet.
with stretch as materialized (
    select lower(span) as since, upper(span) as until
    from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from selected) as merged
)
select hit.*, selected.session_id, selected.signed_visitor_id as session_signed_visitor_id
from (
    select hit.*
    from stretch
    cross join lateral (
        select *
        from hit
        where hit.site_id = %(site_id)s and occurred_at >= stretch.since and occurred_at <= stretch.until
            and occurred_at >= %(earliest)s::timestamptz and occurred_at <= %(latest)s::timestamptz
            and position + 0 <= %(position)s
        offset 0
    ) as hit
    -- Planned for itself.
    offset 0
) as hit
join selected on selected.visitor_id = hit.visitor_id and occurred_at >= started_at and occurred_at <= ended_at

-- name: concerned
-- views: touched
-- The sessions that changed, and when they began and ended. A statement of its own, which is prepared.
select coalesce(array_agg(session_id), '{{}}') as session_ids, min(started_at) as earliest, max(ended_at) as latest
from touched
cross join lateral (
    select started_at, ended_at
    from session
    where session.site_id = %(site_id)s and session.session_id = touched.session_id
    offset 0
) as session

-- name: touched
-- views: reported as measure, intake/measures/pageview
-- Sessions that changed, and those around later hits, which are in quarters of an hour with hits after the position: a hit can
-- join or cut the sessions of its visitor that far away. One look each: their number is not known when this is planned.
select unnest(%(changed)s::bigint[]) as session_id
union
select around.session_id
from quarter_position
cross join lateral (
    select visitor_id, occurred_at
    from hit
    where hit.site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
        and position + 0 > %(since)s and position + 0 <= %(position)s
    offset 0
) as hit
cross join lateral (
    select session_id
    from session
    where session.site_id = %(site_id)s and session.visitor_id = hit.visitor_id
        and started_at >= hit.occurred_at - interval '24 hours 30 minutes'
        and started_at <= hit.occurred_at + interval '24 hours 30 minutes'
    offset 0
) as around
where quarter_position.site_id = %(site_id)s and last_position > %(since)s and %(since)s < %(position)s
    and quarter >= coalesce(%(near_start)s::timestamptz, '-infinity')
    and quarter < coalesce(%(near_end)s::timestamptz, 'infinity')
union
-- Those of pageviews of which something was reported since then.
select own.session_id
from pageview as hit
cross join lateral (
    select session_id
    from session
    where session.site_id = %(site_id)s and session.visitor_id = hit.visitor_id
        and session.started_at <= hit.occurred_at
    order by session.started_at desc
    limit 1
) as own
where hit.site_id = %(site_id)s and hit.position + 0 <= %(position)s
    and hit.occurred_at >= coalesce(%(near_start)s::timestamptz, '-infinity')
    and hit.occurred_at < coalesce(%(near_end)s::timestamptz, 'infinity')

-- name: reported
select position, site_id, pageview_key, received_at
from engagement
where position > %(since)s and position <= %(position)s and %(since)s < %(position)s
offset 0

-- name: selected
-- The sessions of stretches of time, and of the others those that changed.
with gap as materialized (
    select * from unnest(%(gap_starts)s::timestamptz[], %(gap_ends)s::timestamptz[]) as gap (since, until)
)
select session.*
from gap
cross join lateral (
    select *
    from session
    where session.site_id = %(site_id)s and started_at >= gap.since and started_at < gap.until
    offset 0
) as session
union all
select session.*
from unnest(%(session_ids)s::bigint[]) as touched (session_id)
cross join lateral (
    select *
    from session
    where session.site_id = %(site_id)s and session.session_id = touched.session_id
    offset 0
) as session
where not exists (select from gap where started_at >= gap.since and started_at < gap.until)

-- name: sessions
-- with: selected
-- views: own_hit as measurable, columns/export/with_engagement, counted
select
    session_id, visitor_id, signed_visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    {attributes},
    quarters, quarter_pageviews, quarter_custom_events, engaged_ms, engaged_pageviews
from selected
left join counted using (session_id)

-- name: counted
-- What sessions that touch several quarters of an hour have in each, and what is known of the time on their pages.
select
    session_id,
    case when count(*) > 1 then '[' || string_agg(quarter::text, ', ' order by quarter) || ']' end as quarters,
    case when count(*) > 1 then '[' || string_agg(pageviews::text, ', ' order by quarter) || ']' end as quarter_pageviews,
    case when count(*) > 1 then '[' || string_agg(custom_events::text, ', ' order by quarter) || ']' end as quarter_custom_events,
    sum(engaged_ms) as engaged_ms, nullif(sum(engaged_pageviews), 0) as engaged_pageviews
from (
    select
        session_id, date_bin('15 minutes', occurred_at, '2000-01-01 00:00:00+00') as quarter,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        sum(engaged_ms) as engaged_ms, count(engaged_ms) as engaged_pageviews
    from with_engagement
    group by session_id, quarter
) as in_quarter
group by session_id
