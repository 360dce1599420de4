-- save_invitation_address
insert into invitation_address (organization_id, invitation_id, address, expires_at)
values (%(organization_id)s, %(invitation_id)s, %(address)s, %(expires_at)s)
on conflict (organization_id, invitation_id) do update
set address = excluded.address, expires_at = excluded.expires_at
