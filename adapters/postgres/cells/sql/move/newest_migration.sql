-- newest_migration
select max(number) as number from schema_migration
