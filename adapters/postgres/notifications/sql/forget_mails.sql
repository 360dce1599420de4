-- forget_mails
delete from mail where user_id = %(user_id)s
