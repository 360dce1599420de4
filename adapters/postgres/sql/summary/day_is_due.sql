-- day_is_due
select exists (
    select from traffic_day
    where state in ('touched', 'counting')
        and day < now() - interval '24 hours' - %(quiet)s::interval and touched_at < now() - %(quiet)s::interval
) as due
