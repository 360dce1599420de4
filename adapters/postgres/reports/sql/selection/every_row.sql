-- every_row
true
