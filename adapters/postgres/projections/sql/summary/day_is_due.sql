-- day_is_due
select exists (
    select from day_summary_state
    where state in ('changed', 'counting')
        and day < now() - interval '24 hours' - %(quiet)s::interval and changed_at < now() - %(quiet)s::interval
) as due
