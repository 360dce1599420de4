-- lock_tables
lock table {tables} in access exclusive mode
