-- Salts of days, by which visitors are told apart.

-- name: make_salt
insert into visitor_salt (day, salt) values (%(day)s, %(salt)s) on conflict (day) do nothing

-- name: read_salt
select salt from visitor_salt where day = %(day)s

-- name: destroy_salts
delete from visitor_salt where day < %(day)s
