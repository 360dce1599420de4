-- go_on
insert into slice select * from later_slice
