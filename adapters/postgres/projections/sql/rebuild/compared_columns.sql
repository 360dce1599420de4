-- compared_columns
-- A message of an error is known by the position of its first hit, which changes when retention erases that hit: tables
-- that refer to messages are compared by the digest of the message.
select
    array_agg(attname::text order by attnum) filter (where attname <> 'message_id') as columns,
    bool_or(attname = 'message_id') and not bool_or(attname = 'digest') as by_message
from pg_attribute
where attrelid = %(table)s::regclass and attnum > 0 and not attisdropped
