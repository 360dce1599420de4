-- ledger
select day, type, reason, rows from import_ledger where import_id = %(import_id)s order by day, type, reason
