-- read_hits
-- A range of positions and not a number of rows: its length limits the time, however few hits of the site are in it.
select *
from hit
where site_id = %(site_id)s and position > %(after)s and position <= %(up_to)s
order by position
