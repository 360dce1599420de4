-- erase_expired_invitation_addresses
delete from invitation_address where expires_at < %(now)s
