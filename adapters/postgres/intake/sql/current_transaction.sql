-- current_transaction
select pg_current_xact_id()::text as transaction
