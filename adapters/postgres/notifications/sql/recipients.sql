-- Addresses outside that get reports on sites.

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
