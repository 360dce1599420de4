-- add_rows
-- The rows of a session are replaced as a whole. Sessions of a visitor never overlap: one that overlaps with a newer one is no
-- more.
create or replace temp table replaced as
select kept.session_id
from {name}_session as kept
semi join sessions using (session_id)
union
select kept.session_id
from {name}_session as kept
join sessions as newer on newer.visitor_id = kept.visitor_id
    and kept.started_at >= newer.started_at and kept.started_at <= newer.ended_at;

delete from {name}_session where session_id in (select session_id from replaced);

delete from {name}_hit where session_id in (select session_id from replaced);

insert into {name}_session by name
{sessions};

insert into {name}_hit by name
{hits}
