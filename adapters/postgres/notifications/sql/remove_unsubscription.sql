-- remove_unsubscription
delete from mail_unsubscription where address_digest = %(digest)s and kind = %(kind)s
