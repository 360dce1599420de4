-- retire_goal_version
insert into retired_goal_version (number, site_id)
select number, site_id from goal_version where goal_id = %(goal_id)s
