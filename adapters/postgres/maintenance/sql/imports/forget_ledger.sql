-- forget_ledger
delete from import_ledger where import_id = %(import_id)s
