-- note_arrival
insert into cell_arrival (from_mark) values (%(mark)s)
