-- values_of_hits
-- Of all hits of the sessions that span the period.
select value
from (
    select value, sum(octet_length(value) + 8) over (rows unbounded preceding) as bytes
    from (
        select distinct {text} as value
        from hit
        where hit.site_id = %(site_id)s and {projected}
            and occurred_at >= %(start)s::timestamptz - interval '24 hours'
            and occurred_at < %(end)s::timestamptz + interval '24 hours'
            and {comparison}
    ) as one
) as counted
-- One value beyond the limit tells that there are too many.
where bytes - octet_length(value) - 8 <= %(most_bytes)s
