-- When the latest mail to an address outside was given up, as long as the address is there: rows of mails go after a week.

alter table report_recipient add column failed_at timestamptz;

update report_recipient
set failed_at = latest.finished_at
from (
    select distinct on (site_id, recipient_number) site_id, recipient_number, outcome, finished_at
    from mail
    where site_id is not null and finished_at is not null
    order by site_id, recipient_number, finished_at desc, mail_id desc
) as latest
where report_recipient.site_id = latest.site_id and number = recipient_number and outcome = 'given-up';
