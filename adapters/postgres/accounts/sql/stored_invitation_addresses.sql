-- stored_invitation_addresses
select organization_id, invitation_id from invitation_address
