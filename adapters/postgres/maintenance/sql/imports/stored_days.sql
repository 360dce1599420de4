-- stored_days
select distinct day from import_ledger where import_id = %(import_id)s and reason = '' and day <> '' order by day
