-- remember
select set_config('footfall.session', %(token)s, false)
