-- move_fill
update goal_version
set fill_from = nullif(%(until)s::timestamptz, 'infinity')
where number = any(%(numbers)s) and set_aside is null
