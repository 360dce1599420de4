-- days_are_due
select exists ({due}) as due
