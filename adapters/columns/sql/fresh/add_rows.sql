-- add_rows
-- The rows of a session are replaced as a whole.
delete from {name}_session where session_id in (select session_id from sessions);

delete from {name}_hit where session_id in (select session_id from sessions);

insert into {name}_session by name
{sessions};

insert into {name}_hit by name
{hits}
