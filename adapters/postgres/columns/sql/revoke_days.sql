-- revoke_days
-- Days of a site that a span of time touches are open again, with no version and no recorded changes.
with revoked as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0, changed_at = now(),
        since = case when state = 'open' then since else now() end
    where site_id = %(site_id)s
        and day > %(start)s::timestamptz - interval '24 hours' and day < %(end)s::timestamptz
        and (state <> 'open' or changed_at < now() - interval '10 seconds')
    returning site_id, day, state
)
delete from column_change
using revoked
where column_change.site_id = revoked.site_id and column_change.day = revoked.day
