-- recent_events
-- Positions given since some time: to add up the outcomes of a week would read all sites.
select (select case when is_called then last_value else 0 end from hit_position)
    - coalesce((select traffic from position_minute where minute < %(since)s order by minute desc limit 1), 0) as events
