-- create_checkpoint
insert into {checkpoint} (name, position, journal_position, set_id) values ('reports', 0, 0, gen_random_uuid())
