-- read_hits
select position, {columns}
from hit
where position > %(after)s and position <= %(up_to)s
order by position
limit %(limit)s
