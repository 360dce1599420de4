-- collect_session_delta
insert into session_delta
select
    part.site_id, part.session_id, part.visitor_id, part.positions[1],
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
    part.pages[1], part.pages[cardinality(part.pages)], part.users[cardinality(part.users)]
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
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        min(occurred_at) filter (where type = 'pageview') as entry_at,
        max(occurred_at) filter (where type = 'pageview') as exit_at,
        max(occurred_at) filter (where user_id is not null) as user_at
    from slice
    group by site_id, session_id
) as part
left join session using (site_id, session_id)
