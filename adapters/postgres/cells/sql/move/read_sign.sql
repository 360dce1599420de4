-- read_sign
select place, mark from cell_moved where from_mark = %(mark)s
