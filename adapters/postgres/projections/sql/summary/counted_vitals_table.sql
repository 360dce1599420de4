-- counted_vitals_table
create temporary table counted_vitals as select * from vitals_day with no data
