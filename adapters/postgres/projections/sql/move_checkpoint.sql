-- move_checkpoint
update projection_checkpoint
set position = %(position)s, journal_position = %(journal_position)s, moved_at = statement_timestamp()
where name = 'reports'
