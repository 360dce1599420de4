-- open_foreign_days
-- Days that another store closed have no version here; they are due at once.
with opened as (
    update column_day
    set
        state = 'open', version = null, store = null, sessions = 0, changes = 0,
        since = '-infinity', changed_at = '-infinity'
    from (
        select site_id, day
        from column_day
        where state = 'closed' and (store < column_store() or store > column_store())
        limit %(limit)s
    ) as those
    where column_day.site_id = those.site_id and column_day.day = those.day
    returning column_day.site_id, column_day.day
),
forgotten as (
    delete from column_change
    using opened
    where column_change.site_id = opened.site_id and column_change.day = opened.day
)
select count(*) as days from opened
