-- hide
create temp table hidden as
select session_id from {name}_session
union
select unnest($changed::bigint[])
