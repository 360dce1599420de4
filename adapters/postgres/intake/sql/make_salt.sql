-- make_salt
insert into visitor_salt (day, salt) values (%(day)s, %(salt)s) on conflict (day) do nothing
