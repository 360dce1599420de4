-- due
-- Days that are over and have been quiet, or have been restless for an hour. Days that are not over are due every hour, of those
-- that are closed only the ones that have grown by an eighth. Without `quiet` no day has to be over.
select site_id, day, %(quiet)s::interval is not null and day >= now() - interval '24 hours' as is_present
from (
    select site_id, day, since, changed_at, true as has_grown from column_day where state = 'open'
    union all
    select site_id, day, since, changed_at, changes * 8 > sessions
    from column_day
    where state = 'closed' and changes * 20 > sessions
    union all
    select site_id, day, '-infinity', '-infinity', true
    from column_day
    where state = 'closed' and (store < column_store() or store > column_store())
) as unsettled
where
    (
        %(quiet)s::interval is null
        or day < now() - interval '24 hours' - %(quiet)s::interval and changed_at < now() - %(quiet)s::interval
        or day < now() - interval '25 hours' and since < now() - interval '1 hour'
        or day >= now() - interval '24 hours' and since < now() - interval '1 hour' and has_grown
    )
    and not exists (select from erasure where deleted_site = site_id)
