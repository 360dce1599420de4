-- first_minute
select min(minute) + interval '1 minute' as first from position_minute
