-- days_are_due
-- Whether days are due, and whether there are days that another store closed.
select
    exists ({due}) as due,
    exists (
        select from column_day where state = 'closed' and (store < column_store() or store > column_store())
    ) as are_foreign
