-- hit
create or replace temp view hit as
{of_files}
select * from {name}_hit
