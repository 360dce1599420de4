-- count_rows
select count(*) as rows from {table}
