-- recall
select current_setting('footfall.session', true)
