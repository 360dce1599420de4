-- due_sweeps
select deleted_site as site_id
from erasure
where due_at is not null
    -- The first round begins with the revocation of all versions; from then on none is given.
    and round > 0
    and not exists (
        select from column_sweep where column_sweep.deleted_site = erasure.deleted_site and node = %(node)s
    )
    and not exists (select from column_day where site_id = deleted_site and state = 'closed')
order by deleted_site
