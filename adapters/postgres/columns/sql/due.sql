-- due
-- Days that are over and have been quiet, or have been restless for an hour. Days that are not over are due every hour, of those
-- that are closed only the ones that have grown by an eighth. Without `quiet` no day has to be over. Of the open days of today, of
-- which every site has one, only those are read that have been open for an hour.
-- Those before a place are asked for, in the order of days and sites: what was closed before it has left dead entries in the index,
-- which stay for as long as any snapshot does, and all of them would be read again.
select site_id, day, %(quiet)s::interval is not null and day >= now() - interval '24 hours' as is_present
from (
    -- In the order of an index each, up to a limit that makes it cheapest: the statistics do not know that days which are over are
    -- few. What is left out is found when these have been closed.
    (
        select site_id, day, since, changed_at, true as has_grown
        from column_day
        where state = 'open' and day < coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
            and (day, site_id) < (%(before_day)s::timestamptz, %(before_site)s::bigint)
            and (
                %(quiet)s::interval is null
                or changed_at < now() - %(quiet)s::interval
                or day < now() - interval '25 hours' and since < now() - interval '1 hour'
            )
            and not exists (select from erasure where deleted_site = site_id)
        order by day desc, site_id desc
        limit %(days)s
    )
    union all
    (
        select site_id, day, since, changed_at, true
        from column_day
        where state = 'open' and since < now() - interval '1 hour'
            and day >= coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
            and %(before_day)s::timestamptz >= coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
        order by since
        limit 1000
    )
    union all
    select site_id, day, since, changed_at, changes * 8 > sessions
    from column_day
    where state = 'closed' and changes * 20 > sessions and day <= %(before_day)s
) as unsettled
where
    (
        %(quiet)s::interval is null
        or day < now() - interval '24 hours' - %(quiet)s::interval and changed_at < now() - %(quiet)s::interval
        or day < now() - interval '25 hours' and since < now() - interval '1 hour'
        or day >= now() - interval '24 hours' and since < now() - interval '1 hour' and has_grown
    )
    and not exists (select from erasure where deleted_site = site_id)
