-- earlier
union all by name
select * from {table}
