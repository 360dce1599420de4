-- write_visitors_day
insert into visitors_day select * from counted_visitors
