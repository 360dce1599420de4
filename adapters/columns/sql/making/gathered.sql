-- gathered
select * from read_parquet($files, union_by_name = true) order by {order}
