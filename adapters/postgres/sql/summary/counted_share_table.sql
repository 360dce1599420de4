-- counted_share_table
create temporary table counted_share as select * from day_share with no data
