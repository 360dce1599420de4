-- transaction_status
select pg_xact_status(%(transaction)s::xid8) as status
