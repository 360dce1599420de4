-- reopen_changed_days
-- Days of a site that files do not hold as they are now; they are due at once.
with reopened as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0,
        since = '-infinity', changed_at = '-infinity'
    where site_id = %(site_id)s and (state <> 'closed' or changes > 0)
        and day < now() - interval '25 hours'
    returning site_id, day
)
delete from column_change
using reopened
where column_change.site_id = reopened.site_id and column_change.day = reopened.day
