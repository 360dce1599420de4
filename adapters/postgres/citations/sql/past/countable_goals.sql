-- countable_goals
-- Goals whose conversions the read models hold; the others are matched by the reports.
select number from goal_version where site_id = %(site_id)s and fill_from is null and set_aside is null
