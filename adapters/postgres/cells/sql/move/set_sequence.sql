-- set_sequence
-- Without a last value the sequence has not been used, and begins with its first one.
select setval(format('%%I', %(name)s::text)::regclass, coalesce(%(last_value)s::bigint, %(start_value)s), %(last_value)s::bigint is not null)
