-- counted_breakdown_table
create temporary table counted_breakdown as select * from breakdown_day with no data
