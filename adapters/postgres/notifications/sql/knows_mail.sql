-- knows_mail
select exists (select from mail where mail_id = %(mail_id)s) as known
