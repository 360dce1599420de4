-- queue_status
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
