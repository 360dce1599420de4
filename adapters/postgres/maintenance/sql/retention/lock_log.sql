-- lock_log
lock table only hit in access exclusive mode
