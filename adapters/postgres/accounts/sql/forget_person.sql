-- forget_person
delete from person where user_id = %(user_id)s
