-- values_of_sessions
select value
from (
    select value, sum(octet_length(value) + 8) over (rows unbounded preceding) as bytes
    from (
        select distinct {text} as value
        from session
        where session.site_id = %(site_id)s and {conditions}
    ) as one
) as counted
-- One value beyond the limit tells that there are too many.
where bytes - octet_length(value) - 8 <= %(most_bytes)s
