-- erase_invitation_address
delete from invitation_address
where organization_id = %(organization_id)s and invitation_id = %(invitation_id)s
