-- move_journal
update cell_mark set journal_position = %(reached)s where cell = %(cell)s and journal_position < %(reached)s
