-- event
select * from {schema}.event where position <= {journal}
