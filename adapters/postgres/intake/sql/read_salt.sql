-- read_salt
select salt from visitor_salt where day = %(day)s
