-- write_day_visitors
insert into day_visitors select * from counted_visitors
