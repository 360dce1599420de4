-- write_breakdown_day
insert into breakdown_day select * from counted_breakdown
