-- days_are_due
-- Whether days are due, and whether there are days that another store closed. Files hold no sessions of the former definition:
-- their days are closed when these have been formed anew.
select
    exists (select from projection_checkpoint where name = 'reports' and sessions = 2) and exists ({due}) as due,
    exists (
        select from column_day where state = 'closed' and (store < column_store() or store > column_store())
    ) as are_foreign
