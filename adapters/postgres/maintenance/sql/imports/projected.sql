-- projected
select position from projection_checkpoint where name = 'reports'
