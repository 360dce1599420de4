-- destroy_salts
delete from visitor_salt where day < %(day)s
