-- has_unsubscription
select exists (
    select from mail_unsubscription where address_digest = %(digest)s and kind = %(kind)s
) as found
