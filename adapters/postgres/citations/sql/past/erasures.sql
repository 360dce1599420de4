-- erasures
-- Erasures of hits that the positions cover, after these were named or at the same time. The clocks of the service and of
-- the server may differ by seconds.
select reason, case when since > '-infinity' then since end as since, until
from hit_erasure
where site_id = %(site_id)s
    and first_position <= %(traffic)s
    and coalesce(finished_at, 'infinity') >= %(at)s::timestamptz - interval '5 seconds'
    and (%(history)s or since < %(until)s::timestamptz and until > %(since)s::timestamptz)
order by until desc
