-- limit_lock_waits
set local lock_timeout = '500ms'
