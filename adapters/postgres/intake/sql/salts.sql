-- Salts of days and of longer spans, by which visitors are told apart.

-- name: make_salt_of_day
insert into visitor_salt (day, salt) values (%(day)s, %(salt)s) on conflict (day) do nothing

-- name: read_salt_of_day
select salt from visitor_salt where day = %(day)s

-- name: destroy_salts_of_days
delete from visitor_salt where (day + 1)::timestamp at time zone 'UTC' <= %(ended_by)s

-- name: make_salt_of_span
insert into visitor_span_salt (span, ends_at, salt) values (%(span)s, %(ends_at)s, %(salt)s) on conflict (span) do nothing

-- name: read_salt_of_span
select salt from visitor_span_salt where span = %(span)s

-- name: destroy_salts_of_spans
delete from visitor_span_salt where ends_at <= %(ended_by)s

-- name: every_salt
select salt from visitor_salt union all select salt from visitor_span_salt

-- name: forget_salt_of_day
delete from visitor_salt where salt = %(stored)s

-- name: forget_salt_of_span
delete from visitor_span_salt where salt = %(stored)s
