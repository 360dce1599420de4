-- Counts of attempts to sign in.

-- name: add_attempt
insert into sign_in_attempt (subject, begins_at, attempts)
values (%(subject)s, %(window)s, 1)
on conflict (subject, begins_at) do update set attempts = sign_in_attempt.attempts + 1
returning attempts

-- name: count_attempts
select attempts from sign_in_attempt where subject = %(subject)s and begins_at = %(window)s

-- name: forget_attempts
delete from sign_in_attempt where begins_at < %(window)s
