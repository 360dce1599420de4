-- replication
select
    pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
    current_setting('synchronous_commit') as commit,
    current_setting('synchronous_standby_names') as names,
    -- Other roles see that there are standbys, and nothing about them.
    pg_has_role('pg_read_all_stats', 'usage') as visible,
    (select count(*) from pg_stat_replication) as attached,
    array(
        select application_name
        from pg_stat_replication
        where state = 'streaming' and sync_state in ('sync', 'quorum')
        order by application_name
    ) as confirming
