-- write_day_vitals
insert into day_vitals select * from counted_vitals
