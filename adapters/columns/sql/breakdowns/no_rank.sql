-- no_rank
null
