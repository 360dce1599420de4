-- finish_round
update erasure
set round = round + 1, due_at = %(next_at)s
where deleted_site = %(site_id)s and round = %(round)s
