-- lost_hits
-- The sessions know how many hits they have.
select
    (select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0) from sessions)
    - (select count(*) from {hits})
