-- umami_count
select count(*)
from website_event as event
where event.website_id = %(website_id)s::uuid
    and (event.created_at is null or event.created_at < now() - interval '1 minute')
    and (
        %(up_to)s::bigint is null or event.created_at is null
        or event.created_at <= timestamptz '1970-01-01 00:00:00+00' + %(up_to)s::bigint * interval '1 microsecond'
    )
