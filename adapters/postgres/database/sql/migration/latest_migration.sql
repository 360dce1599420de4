-- latest_migration
select coalesce(max(number), 0) as number from schema_migration
