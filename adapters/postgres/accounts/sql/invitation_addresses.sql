-- The addresses of open invitations.

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
