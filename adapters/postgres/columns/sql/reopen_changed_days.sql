-- reopen_changed_days
-- Days of a site that files do not hold as they are now; they are due at once. Days from the returned instant on are not over,
-- or have not been for an hour.
with reopened as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0,
        since = '-infinity', changed_at = '-infinity'
    where site_id = %(site_id)s and (state <> 'closed' or changes > 0)
        and day < now() - interval '25 hours'
    returning site_id, day
),
forgotten as (
    delete from column_change
    using reopened
    where column_change.site_id = reopened.site_id and column_change.day = reopened.day
)
select now() - interval '25 hours' as over_before
