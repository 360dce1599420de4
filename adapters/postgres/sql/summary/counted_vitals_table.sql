-- counted_vitals_table
create temporary table counted_vitals as select * from day_vitals with no data
