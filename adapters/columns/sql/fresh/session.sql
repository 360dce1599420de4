-- session
create or replace temp view session as
{of_files}
select * from {name}_session
