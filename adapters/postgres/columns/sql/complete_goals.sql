-- complete_goals
select number from goal_version where site_id = %(site_id)s and fill_from is null and set_aside is null
