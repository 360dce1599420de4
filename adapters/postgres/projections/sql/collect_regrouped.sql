-- collect_regrouped
-- The sessions that are joined with others, get another name, or are cut: as they were.
insert into regrouped
select -1, placed.target_id, own.*
from (
    select kind, site_id, number, target_id, count(*) filter (where kind <> 'hit') over (partition by site_id, target_id) as parts
    from placed
) as placed
cross join lateral (
    select *
    from session
    where session.site_id = placed.site_id and session.session_id = placed.number
    offset 0
) as own
where placed.kind = 'cut' or placed.kind = 'session' and (placed.parts > 1 or placed.target_id <> placed.number)
