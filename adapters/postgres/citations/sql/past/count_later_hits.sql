-- count_later_hits
select count(*) as hits
from (
    select
    from hit
    where site_id = %(site_id)s and position > %(traffic)s and position <= %(checkpoint)s
        and occurred_at >= %(since)s and occurred_at < %(until)s
    limit %(limit)s
) as later
