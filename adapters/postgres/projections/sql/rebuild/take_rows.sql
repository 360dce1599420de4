-- take_rows
insert into {table} select * from {copy}
