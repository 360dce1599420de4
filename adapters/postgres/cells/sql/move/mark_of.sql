-- mark_of
select mark from cell_mark where cell = %(cell)s
