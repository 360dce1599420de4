-- day_is_due
-- In order, so that no more than the days that are over are read: that many days have changed says little about these.
select exists (
    select from (
        select changed_at from day_summary_state
        where state in ('changed', 'counting') and day < now() - interval '24 hours' - %(quiet)s::interval
        order by day
        offset 0
    ) as over
    where changed_at < now() - %(quiet)s::interval
) as due
