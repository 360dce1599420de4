-- retire_goal_version
insert into retired_goal_version (number, site_id)
select number, site_id from goal_version where goal_id = %(goal_id)s
-- A goal that was set aside may have been retired already.
on conflict (number) do nothing
