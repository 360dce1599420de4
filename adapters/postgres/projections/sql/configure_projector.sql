-- configure_projector
-- A crash may lose the last slices of derived rows: they are derived again.
select set_config('synchronous_commit', 'off', false), set_config('work_mem', '64MB', false)
