-- join_sessions
-- Sessions of a visitor never overlap: each value of those that are joined has a time of its own.
insert into regrouped (
    sign, target_id, site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    {first_hit_attributes}
)
select
    1, first.target_id, first.site_id, first.target_id, first.visitor_id, first.started_at, total.ended_at,
    total.pageviews, total.custom_events, total.performance_measures, total.outbound_clicks, total.errors,
    total.entry_at, total.exit_at, total.user_at, total.entry_page, total.exit_page, total.user_id,
    {first_hit_attributes}
from (
    select distinct on (site_id, target_id) *
    from regrouped
    where target_id is not null
    order by site_id, target_id, started_at, session_id
) as first
join (
    select
        site_id, target_id, max(ended_at) as ended_at, sum(pageviews) as pageviews, sum(custom_events) as custom_events,
        sum(performance_measures) as performance_measures, sum(outbound_clicks) as outbound_clicks,
        sum(errors) as errors, min(entry_at) as entry_at, max(exit_at) as exit_at, max(user_at) as user_at,
        (array_agg(entry_page order by entry_at))[1] as entry_page,
        (array_agg(exit_page order by exit_at desc nulls last))[1] as exit_page,
        (array_agg(user_id order by user_at desc nulls last))[1] as user_id
    from regrouped
    where target_id is not null
    group by site_id, target_id
) as total on total.site_id = first.site_id and total.target_id = first.target_id
