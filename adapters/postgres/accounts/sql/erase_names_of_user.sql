-- erase_names_of_user
update event
set data = data || '{"name": ""}'
where schema_version >= 0
    and data ->> 'name' <> ''
    and (
        (type = 'api-key-issued' and data ->> 'user_id' = %(user_id)s)
        or (type = 'passkey-registered' and stream = %(stream)s)
    )
