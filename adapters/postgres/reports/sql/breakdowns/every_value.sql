-- every_value
true
