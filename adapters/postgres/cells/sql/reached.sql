-- reached
select mark, journal_position as reached from cell_mark where cell = %(cell)s
