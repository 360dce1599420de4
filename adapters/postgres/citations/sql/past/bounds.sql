-- bounds
-- The first day that has changed sessions, and how many there are; and two numbers that grow with each new hit of these, and when another one goes
-- on after `later_since`.
select
    (select min(day) from changed_session) as changed_since, (select count(*) from changed_session) as sessions,
    {growing}
