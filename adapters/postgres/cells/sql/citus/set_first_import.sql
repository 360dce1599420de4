-- set_first_import
update cell_home set first_import = %(first)s
