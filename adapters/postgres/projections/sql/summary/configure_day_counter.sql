-- configure_day_counter
select
    set_config('synchronous_commit', 'off', false), set_config('work_mem', '64MB', false),
    set_config('max_parallel_workers_per_gather', '0', false)
