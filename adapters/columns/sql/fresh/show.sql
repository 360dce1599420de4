-- show
-- Of the sessions that are hidden the files hold what does not count.
create or replace temp view hidden as
select session_id from {name}_session
union all
select unnest({changed}::bigint[])
{hidden_days};

create or replace temp view session as
select * from {name}_session
{sessions_of_files};

create or replace temp view hit as
select * from {name}_hit
{hits_of_files}
