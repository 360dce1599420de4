-- counted_visitors_table
create temporary table counted_visitors as select * from visitors_day with no data
