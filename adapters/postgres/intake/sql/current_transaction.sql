-- current_transaction
select pg_current_xact_id()::text as transaction, pg_postmaster_start_time()::text as server_started
