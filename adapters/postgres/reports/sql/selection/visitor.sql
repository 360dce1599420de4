-- visitor
coalesce(session.user_id, lpad(to_hex(session.visitor_id), 16, '0'))
