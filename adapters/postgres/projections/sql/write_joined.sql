-- write_joined
insert into session (
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    {first_hit_attributes}
)
select
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    {first_hit_attributes}
from regrouped
where sign > 0
