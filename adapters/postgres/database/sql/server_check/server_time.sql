-- server_time
select clock_timestamp()
