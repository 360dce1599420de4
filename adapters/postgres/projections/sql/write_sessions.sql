-- write_sessions
insert into session (
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    {first_hit_attributes}
)
select
    session_delta.site_id, session_delta.session_id, session_delta.visitor_id, session_delta.started_at, session_delta.ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, session_delta.user_id,
    {first_hit_attributes}
from session_delta
join slice on slice.position = session_delta.first_position
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
    {attributes_of_earlier}
