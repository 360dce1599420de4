-- write_vitals_day
insert into vitals_day select * from counted_vitals
