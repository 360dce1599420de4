-- Names and addresses of users.

-- name: save_person
insert into person (user_id, name, address, address_verified_at)
values (%(user_id)s, %(name)s, %(address)s, %(address_verified_at)s)
on conflict (user_id) do update
set name = excluded.name, address = excluded.address, address_verified_at = excluded.address_verified_at

-- name: read_people
select user_id, name, address, address_verified_at from person where user_id = any(%(user_ids)s::text[])

-- name: person_by_address
select user_id, name, address, address_verified_at
from person
where lower(address collate "C") = lower(%(address)s collate "C") and address_verified_at is not null

-- name: forget_person
delete from person where user_id = %(user_id)s

-- name: erase_names_of_user
update event
set data = data || '{"name": ""}'
where schema_version >= 0
    and data ->> 'name' <> ''
    and (
        (type = 'api-key-issued' and data ->> 'user_id' = %(user_id)s)
        or (type = 'passkey-registered' and stream = %(stream)s)
    )
