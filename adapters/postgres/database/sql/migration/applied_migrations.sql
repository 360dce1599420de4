-- applied_migrations
select number, name from schema_migration
