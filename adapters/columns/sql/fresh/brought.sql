-- brought
create or replace temp table {table} as
select *
from {csv}
