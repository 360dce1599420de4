-- set_search_path
alter role {role} in database {database} set search_path = {schema}
