-- rybbit_goal_sites
select distinct site_id::text as site_id from goals order by site_id limit %(most)s
