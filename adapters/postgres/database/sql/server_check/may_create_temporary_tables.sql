-- may_create_temporary_tables
select has_database_privilege(current_database(), 'temporary') as allowed
