-- create_event_sequence
create sequence if not exists event_position
