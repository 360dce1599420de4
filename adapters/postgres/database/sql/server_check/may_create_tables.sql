-- may_create_tables
select coalesce(has_schema_privilege(current_schema(), 'create'), false) as allowed
