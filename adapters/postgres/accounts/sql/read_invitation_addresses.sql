-- read_invitation_addresses
select invitation_id, address from invitation_address where organization_id = %(organization_id)s
