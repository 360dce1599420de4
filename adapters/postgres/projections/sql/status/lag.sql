-- lag
select
    case when oldest.received_at is null then 0 else newest.position - checkpoint.position end as events,
    oldest.received_at as oldest
from projection_checkpoint as checkpoint
cross join (select case when is_called then last_value else 0 end as position from hit_position) as newest
left join lateral (
    select received_at from hit where hit.position > checkpoint.position order by hit.position limit 1
) as oldest on true
where checkpoint.name = 'reports'
