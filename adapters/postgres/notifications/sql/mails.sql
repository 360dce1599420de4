-- The outbox of mail.

-- name: enqueue
-- The address outside of a mail is held until the end of the transaction: erased later, it takes the mail along.
with outside as materialized (
    select from report_recipient
    where site_id = %(site_id)s and number = %(recipient_number)s
    for key share
)
insert into mail (
    mail_id, kind, user_id, recipient, subject, body_text, body_html, unsubscribe_url, useless_after, queued_at, due_at,
    site_id, recipient_number
)
select
    %(mail_id)s, %(kind)s, %(user_id)s, %(recipient)s, %(subject)s, %(text)s, %(html)s, %(unsubscribe_url)s,
    %(useless_after)s, %(at)s, %(at)s, %(site_id)s, %(recipient_number)s
where %(site_id)s::bigint is null or exists (select from outside)
on conflict (mail_id) do nothing

-- name: enqueue_decoy
-- The parameters of `enqueue` travel here too; only their lengths are looked at, so that nothing of them is stored.
insert into mail (mail_id, kind, queued_at, finished_at, outcome)
select %(mail_id)s, %(kind)s, %(at)s, %(at)s, 'void'
where octet_length(concat(
    %(user_id)s::text, %(recipient)s::text, %(subject)s::text, %(text)s::text, %(html)s::text, %(unsubscribe_url)s::text,
    %(useless_after)s::timestamptz
)) > 0
on conflict (mail_id) do nothing

-- name: knows_mail
select exists (select from mail where mail_id = %(mail_id)s) as known

-- name: take_reports
-- The ids are those of application/notifications/report_queueing.py. The row of a mail that is being sent is waited for.
delete from mail
where due_at is not null
    and (
        kind = 'report' and split_part(mail_id, '-', 3) in ('all', %(site_id)s::bigint::text)
        or kind = 'outside-report' and site_id = %(site_id)s
    )

-- name: is_waiting
select exists (select from mail where due_at <= %(now)s and kind = any(%(kinds)s)) as waiting

-- name: next_due
select mail_id, kind, user_id, recipient, subject, body_text, body_html, unsubscribe_url, useless_after, queued_at, attempts,
    site_id, recipient_number
from mail
where due_at <= %(now)s and kind = any(%(kinds)s)
order by due_at, mail_id
limit 1

-- name: note_outcome
-- Before the row of the mail itself, which is locked after that of its address wherever both are.
update report_recipient
set failed_at = %(failed_at)s::timestamptz
from mail
where mail_id = %(mail_id)s and report_recipient.site_id = mail.site_id and number = recipient_number
    and failed_at is distinct from %(failed_at)s::timestamptz

-- name: record_sent
update mail
set
    outcome = 'sent', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = null,
    user_id = null, recipient = null, subject = null, body_text = null, body_html = null, unsubscribe_url = null
where mail_id = %(mail_id)s

-- name: postpone
update mail set due_at = %(until)s, attempts = attempts + 1, reason = %(reason)s where mail_id = %(mail_id)s

-- name: give_up
update mail
set
    outcome = 'given-up', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = %(reason)s,
    subject = null, body_text = null, body_html = null, unsubscribe_url = null
where mail_id = %(mail_id)s

-- name: given_up
select kind, recipient, user_id, queued_at, finished_at as given_up_at, attempts, reason
from mail
where outcome = 'given-up' and kind = any(%(kinds)s) and finished_at > %(now)s - interval '168 hours'
order by finished_at desc, mail_id
limit 50

-- name: given_up_of_user
select kind, recipient, user_id, queued_at, finished_at as given_up_at, attempts, reason
from mail
where outcome = 'given-up' and kind = any(%(kinds)s) and user_id = %(user_id)s
order by finished_at desc, mail_id
limit 50

-- name: queue_status
select
    (select count(*) from mail where due_at is not null) as waiting,
    oldest.queued_at as waiting_since,
    oldest.reason as latest_reason,
    (
        select count(*) from mail where outcome = 'sent' and finished_at > %(now)s - interval '24 hours'
    ) as sent_within_a_day,
    (
        select count(*) from mail where outcome = 'given-up' and finished_at > %(now)s - interval '24 hours'
    ) as given_up_within_a_day
from (values (1)) as one
left join lateral (
    select queued_at, reason from mail where due_at is not null order by queued_at, mail_id limit 1
) as oldest on true

-- name: forget_mails
delete from mail where user_id = %(user_id)s

-- name: forget_finished
delete from mail where finished_at < %(before)s

-- name: add_recipient
insert into report_recipient (site_id, number, address) values (%(site_id)s, %(number)s, %(address)s)

-- name: remove_recipients
-- The mails to them go along.
delete from report_recipient
using unnest(%(site_ids)s::bigint[], %(numbers)s::integer[]) as gone (site_id, number)
where report_recipient.site_id = gone.site_id and report_recipient.number = gone.number

-- name: recipients_of_sites
select site_id, number, address from report_recipient where site_id = any(%(site_ids)s::bigint[])

-- name: undelivered
select site_id, number, failed_at
from report_recipient
where site_id = any(%(site_ids)s::bigint[]) and failed_at is not null

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
