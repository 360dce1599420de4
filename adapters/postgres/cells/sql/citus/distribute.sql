-- distribute
select citus_schema_distribute(current_schema()::regnamespace)
