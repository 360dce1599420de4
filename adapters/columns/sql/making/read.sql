-- read
create table {table} as
select *
from {csv}
