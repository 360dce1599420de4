-- allow_erasing
set local footfall.erasing = 'on'
