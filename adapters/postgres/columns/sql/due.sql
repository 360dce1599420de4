-- due
-- Days that are over and have been quiet, or have been restless for an hour. Without `quiet` no day has to be over.
select site_id, day
from (
    select site_id, day, since, changed_at from column_day where state = 'open'
    union all
    select site_id, day, since, changed_at
    from column_day
    where state = 'closed' and changes * 20 > sessions
    union all
    select site_id, day, '-infinity', '-infinity'
    from column_day
    where state = 'closed' and (store < column_store() or store > column_store())
) as unsettled
where
    (
        %(quiet)s::interval is null
        or day < now() - interval '24 hours' - %(quiet)s::interval and changed_at < now() - %(quiet)s::interval
        or day < now() - interval '25 hours' and since < now() - interval '1 hour'
    )
    and not exists (select from erasure where deleted_site = site_id)
