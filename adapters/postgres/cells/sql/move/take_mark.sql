-- take_mark
update cell_mark set mark = %(mark)s where cell = %(cell)s
