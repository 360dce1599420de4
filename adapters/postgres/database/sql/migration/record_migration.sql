-- record_migration
insert into schema_migration (number, name) values (%(number)s, %(name)s)
