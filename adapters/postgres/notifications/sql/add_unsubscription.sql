-- add_unsubscription
insert into mail_unsubscription (address_digest, kind, unsubscribed_at)
values (%(digest)s, %(kind)s, %(at)s)
on conflict (address_digest, kind) do nothing
