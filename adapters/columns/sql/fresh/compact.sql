-- compact
-- Removed rows keep their memory until their table goes.
create or replace table {name}_session as
select * from {name}_session;

create or replace table {name}_hit as
select * from {name}_hit
