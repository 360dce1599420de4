-- The rows of the sessions that session_forming.sql has formed, and the traffic of quarters of an hour.

-- name: collect_session_delta
insert into session_delta
select
    part.site_id, part.session_id, part.visitor_id, part.positions[1], part.started_at,
    least(part.started_at, session.started_at), greatest(part.ended_at, session.ended_at),
    view_of(part.pageviews + coalesce(session.pageviews, 0)),
    bounce_of(
        part.pageviews + coalesce(session.pageviews, 0),
        part.custom_events + coalesce(session.custom_events, 0),
        part.outbound_clicks + coalesce(session.outbound_clicks, 0)
    ),
    session.started_at, session.ended_at,
    view_of(session.pageviews), bounce_of(session.pageviews, session.custom_events, session.outbound_clicks),
    part.pageviews, part.custom_events, part.performance_measures, part.outbound_clicks, part.errors,
    part.entry_at, part.exit_at, part.user_at,
    part.pages[1], part.pages[cardinality(part.pages)], part.users[cardinality(part.users)],
    part.signed[cardinality(part.signed)]
from (
    select
        site_id,
        session_id,
        min(visitor_id) as visitor_id,
        min(occurred_at) as started_at,
        max(occurred_at) as ended_at,
        array_agg(position order by occurred_at, position) as positions,
        array_agg(pathname order by occurred_at, position) filter (where type = 'pageview') as pages,
        array_agg(user_id order by occurred_at, position) filter (where user_id is not null) as users,
        array_agg(signed_visitor_id order by occurred_at, position) filter (where user_id is not null) as signed,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        min(occurred_at) filter (where type = 'pageview') as entry_at,
        max(occurred_at) filter (where type = 'pageview') as exit_at,
        max(occurred_at) filter (where user_id is not null) as user_at
    from slice
    group by session_id, site_id
) as part
left join session using (site_id, session_id)

-- name: write_sessions
insert into session (
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id, signed_visitor_id,
    {first_hit_attributes}
)
select
    session_delta.site_id, session_delta.session_id, session_delta.visitor_id, session_delta.started_at, session_delta.ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, session_delta.user_id,
    session_delta.signed_visitor_id,
    {first_hit_attributes}
from session_delta
-- One look each, in the month of its time.
cross join lateral (
    select *
    from hit
    where hit.position = session_delta.first_position and hit.occurred_at = session_delta.first_at
    offset 0
) as first_hit
on conflict (site_id, session_id) do update set
    started_at = excluded.started_at,
    ended_at = excluded.ended_at,
    pageviews = session.pageviews + excluded.pageviews,
    custom_events = session.custom_events + excluded.custom_events,
    performance_measures = session.performance_measures + excluded.performance_measures,
    outbound_clicks = session.outbound_clicks + excluded.outbound_clicks,
    errors = session.errors + excluded.errors,
    entry_at = least(session.entry_at, excluded.entry_at),
    exit_at = greatest(session.exit_at, excluded.exit_at),
    user_at = greatest(session.user_at, excluded.user_at),
    entry_page = case
        when session.entry_at is null or excluded.entry_at < session.entry_at then excluded.entry_page
        else session.entry_page
    end,
    exit_page = case
        when session.exit_at is null or excluded.exit_at >= session.exit_at then excluded.exit_page
        else session.exit_page
    end,
    user_id = case
        when session.user_at is null or excluded.user_at >= session.user_at then excluded.user_id
        else session.user_id
    end,
    signed_visitor_id = case
        when session.user_at is null or excluded.user_at >= session.user_at then excluded.signed_visitor_id
        else session.signed_visitor_id
    end,
    {attributes_of_earlier}

-- name: write_traffic_buckets
insert into traffic_bucket as kept (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors,
    sessions, viewed, bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
)
with span as (
    select site_id, 1 as sign, view, bounce, started_at, ended_at from session_delta
    union all
    select site_id, -1, was_view, was_bounce, was_started_at, was_ended_at from session_delta where was_started_at is not null
    union all
    select
        site_id, sign, view_of(pageviews), bounce_of(pageviews, custom_events, outbound_clicks), started_at, ended_at
    from regrouped
),
lasting as (
    select *, floor(date_part('epoch', ended_at - started_at))::bigint as seconds from span
),
change as (
    select
        site_id, bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        0 as sessions, 0 as viewed, 0 as bounces, 0 as seconds,
        0 as open_at_start, 0 as open_at_start_viewed, 0 as open_at_start_bounces, 0 as open_at_start_seconds
    from slice
    where not again
    group by 1, 2
    union all
    select site_id, bucket_of(started_at), 0, 0, 0, 0, 0, sign, sign * view, sign * bounce, sign * seconds, 0, 0, 0, 0
    from lasting
    union all
    select site_id, bucket, 0, 0, 0, 0, 0, 0, 0, 0, 0, sign, sign * view, sign * bounce, sign * seconds
    from lasting
    cross join lateral buckets_open_at_start(started_at, ended_at) as bucket
    where ended_at >= bucket_of(started_at) + interval '15 minutes'
)
select
    site_id, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks), sum(errors),
    sum(sessions), sum(viewed), sum(bounces), sum(seconds),
    sum(open_at_start), sum(open_at_start_viewed), sum(open_at_start_bounces), sum(open_at_start_seconds)
from change
group by site_id, bucket
on conflict (site_id, bucket) do update set
    pageviews = kept.pageviews + excluded.pageviews,
    custom_events = kept.custom_events + excluded.custom_events,
    performance_measures = kept.performance_measures + excluded.performance_measures,
    outbound_clicks = kept.outbound_clicks + excluded.outbound_clicks,
    errors = kept.errors + excluded.errors,
    sessions = kept.sessions + excluded.sessions,
    viewed = kept.viewed + excluded.viewed,
    bounces = kept.bounces + excluded.bounces,
    seconds = kept.seconds + excluded.seconds,
    open_at_start = kept.open_at_start + excluded.open_at_start,
    open_at_start_viewed = kept.open_at_start_viewed + excluded.open_at_start_viewed,
    open_at_start_bounces = kept.open_at_start_bounces + excluded.open_at_start_bounces,
    open_at_start_seconds = kept.open_at_start_seconds + excluded.open_at_start_seconds

-- name: follow_session_ends
update conversion
set ended_at = session_delta.ended_at
from session_delta
where session_delta.was_ended_at < session_delta.ended_at
    and conversion.site_id = session_delta.site_id and conversion.session_id = session_delta.session_id
