-- create_import_sequence
create sequence if not exists import_number
