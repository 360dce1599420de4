-- drop_goal_version
with dropped as (
    delete from goal_version
    where goal_id = %(goal_id)s or site_id = %(site_id)s
    returning number, site_id
)
insert into retired_goal_version (number, site_id)
select number, site_id from dropped
-- A goal that was set aside may have been retired already.
on conflict (number) do nothing
