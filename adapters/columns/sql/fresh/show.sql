-- show
-- Of the sessions that are hidden the files hold what does not count.
create or replace temp view hidden as
select session_id from {name}_session
{hidden};

create or replace temp view session as
select * from {name}_session
{sessions_before}
{sessions_of_files}
{earlier_sessions};

create or replace temp view hit as
select * from {name}_hit
{hits_before}
{hits_of_files}
{earlier_hits}
