-- drop_month
drop table {month}
