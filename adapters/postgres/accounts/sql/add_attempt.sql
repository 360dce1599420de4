-- add_attempt
insert into sign_in_attempt (subject, begins_at, attempts)
values (%(subject)s, %(window)s, 1)
on conflict (subject, begins_at) do update set attempts = sign_in_attempt.attempts + 1
returning attempts
