-- conversions
select session_id, number, first_at, last_at
from conversion
where site_id = {site_id} and number = any({goals}::bigint[])
    and ended_at >= {start}::timestamptz and ended_at <= {end}::timestamptz
