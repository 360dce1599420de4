-- create_position_sequence
create sequence if not exists hit_position
