-- create_checkpoint
insert into {checkpoint} (name, position, journal_position) values ('reports', 0, 0)
