-- count_sample
select count(*) as rows from {table} tablesample system ({percent})
