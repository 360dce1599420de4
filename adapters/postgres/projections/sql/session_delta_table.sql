-- session_delta_table
create temporary table if not exists session_delta on commit delete rows as
select
    site_id, session_id, visitor_id, session_id as first_position, started_at, ended_at, 0 as view, 0 as bounce,
    started_at as was_started_at, ended_at as was_ended_at, 0 as was_view, 0 as was_bounce,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id
from session
with no data
