-- settle
update cell_home set home = %(home)s
