-- set_goal_aside
with slow as (
    update goal_version
    set set_aside = %(reason)s, fill_from = null
    where number = %(number)s
    returning goal_id, number, site_id
),
retired as (
    insert into retired_goal_version (number, site_id)
    select number, site_id from slow
    on conflict (number) do nothing
)
select goal_id, site_id from slow
