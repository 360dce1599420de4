-- clean_up
call citus_cleanup_orphaned_resources()
