-- replace_plain_link
update event
set schema_version = 1, data = %(data)s
where position = %(position)s and type = 'private-link-generated' and schema_version = 0
