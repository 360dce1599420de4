-- is_unsettled
-- Whether goals wait to be filled, numbers to be forgotten, or errors to be grouped.
select
    exists (select from {goal_version} where fill_from is not null)
    or exists (select from {retired_goal_version})
    or exists (select from {error_history}) as unsettled
