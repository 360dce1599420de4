-- end_transaction
select pg_terminate_backend(pid)
from pg_stat_activity
where backend_xid = %(transaction)s::xid8::xid
