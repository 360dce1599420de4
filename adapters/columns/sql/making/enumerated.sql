-- enumerated
create or replace table sessions as
select * replace ({attributes})
from sessions
