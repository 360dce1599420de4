-- kept
site_id = {site_id}
and started_at >= {first}::timestamptz and started_at < {last}::timestamptz + interval '24 hours'
and day_of(started_at) = any({days}::timestamptz[])
and session_id not in (
    select session_id from column_change where site_id = {site_id} and day = any({days}::timestamptz[])
)
