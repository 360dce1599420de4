-- Links of older versions that were stored as plain text.

-- name: plain_links
select position, data ->> 'key' as key
from event
where type = 'private-link-generated' and schema_version = 0
order by position

-- name: replace_plain_link
update event
set schema_version = 1, data = %(data)s
where position = %(position)s and type = 'private-link-generated' and schema_version = 0
