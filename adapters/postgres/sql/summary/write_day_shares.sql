-- write_day_shares
insert into day_share select * from counted_share
