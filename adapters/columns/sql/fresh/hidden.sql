-- hidden
union all
select session_id from {table}
