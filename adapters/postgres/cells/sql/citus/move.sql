-- move
select citus_schema_move(
    current_schema()::regnamespace, %(host)s::text, %(port)s::integer, shard_transfer_mode => 'force_logical'
)
