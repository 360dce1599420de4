-- counted_visitors_table
create temporary table counted_visitors as select * from day_visitors with no data
