-- raise_sequence
-- The projector of the new place has drawn numbers, too.
select setval(sequence, greatest(%(last_value)s::bigint, pg_sequence_last_value(sequence)))
from (select format('%%I', %(name)s::text)::regclass as sequence) as named
where %(last_value)s::bigint is not null
