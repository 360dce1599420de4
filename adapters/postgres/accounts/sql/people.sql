-- Names and addresses of users, their identities of other providers, and the addresses of open invitations.

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

-- name: add_identity
insert into linked_identity (identity_id, user_id, issuer, subject, linked_at, last_used_at)
values (%(identity_id)s, %(user_id)s, %(issuer)s, %(subject)s, %(linked_at)s, %(last_used_at)s)

-- name: find_identity
select identity_id, user_id, issuer, subject, linked_at, last_used_at
from linked_identity
where issuer = %(issuer)s and subject = %(subject)s

-- name: identities_of_user
select identity_id, user_id, issuer, subject, linked_at, last_used_at
from linked_identity
where user_id = %(user_id)s
order by linked_at, identity_id

-- name: use_identity
update linked_identity set last_used_at = %(at)s where identity_id = %(identity_id)s

-- name: remove_identity
delete from linked_identity where user_id = %(user_id)s and identity_id = %(identity_id)s

-- name: forget_identities
delete from linked_identity where user_id = %(user_id)s

-- name: save_invitation_address
insert into invitation_address (organization_id, invitation_id, address, expires_at)
values (%(organization_id)s, %(invitation_id)s, %(address)s, %(expires_at)s)
on conflict (organization_id, invitation_id) do update
set address = excluded.address, expires_at = excluded.expires_at

-- name: read_invitation_addresses
select invitation_id, address from invitation_address where organization_id = %(organization_id)s

-- name: stored_invitation_addresses
select organization_id, invitation_id from invitation_address

-- name: erase_invitation_address
delete from invitation_address
where organization_id = %(organization_id)s and invitation_id = %(invitation_id)s

-- name: erase_expired_invitation_addresses
delete from invitation_address where expires_at < %(now)s
