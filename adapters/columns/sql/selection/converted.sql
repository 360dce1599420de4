-- converted
select session_id
from (
    select session_id, unnest(goals) as goal, unnest(goal_first) as first_at, unnest(goal_last) as last_at
    from read_parquet($session_files)
) as conversion
where goal = {number} and first_at < $end and last_at >= $start
