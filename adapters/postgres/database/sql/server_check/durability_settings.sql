-- durability_settings
select name, setting
from unnest(array['fsync', 'synchronous_commit', 'full_page_writes']) with ordinality as wanted (name, place)
join pg_settings using (name)
order by place
