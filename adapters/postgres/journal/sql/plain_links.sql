-- plain_links
select position, data ->> 'key' as key
from event
where type = 'private-link-generated' and schema_version = 0
order by position
