-- rows_by_message
select message.digest, {columns}
from {table} as own
left join {error_message} as message using (site_id, message_id)
