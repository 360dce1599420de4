-- open_foreign_days
-- Days that another store closed have no version here; they are due at once.
with those as materialized (
    select site_id, day
    from column_day
    where state = 'closed' and (store < column_store() or store > column_store())
    limit %(limit)s
),
opened as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0,
        since = '-infinity', changed_at = '-infinity'
    from those
    where column_day.site_id = those.site_id and column_day.day = those.day
),
forgotten as (
    delete from column_change using those where column_change.site_id = those.site_id and column_change.day = those.day
)
select count(*) as days from those
