-- gathered
select * from read_parquet($files) order by {order}
