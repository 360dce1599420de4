-- schema
select current_schema() as schema
