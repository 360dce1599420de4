-- no_rank
null::bigint
