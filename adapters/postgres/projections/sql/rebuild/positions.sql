-- positions
select position, journal_position from {checkpoint} where name = 'reports'
