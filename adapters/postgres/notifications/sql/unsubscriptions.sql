-- Addresses that want no more mail of a kind.

-- name: add_unsubscription
insert into mail_unsubscription (address_digest, kind, unsubscribed_at)
values (%(digest)s, %(kind)s, %(at)s)
on conflict (address_digest, kind) do nothing

-- name: remove_unsubscription
delete from mail_unsubscription where address_digest = %(digest)s and kind = %(kind)s

-- name: has_unsubscription
select exists (
    select from mail_unsubscription where address_digest = %(digest)s and kind = %(kind)s
) as found
