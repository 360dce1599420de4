-- The state of the projections, as operators and reports see it.

-- name: lag
select
    case when oldest.received_at is null then 0 else newest.position - checkpoint.position end as events,
    oldest.received_at as oldest
from projection_checkpoint as checkpoint
cross join (select case when is_called then last_value else 0 end as position from hit_position) as newest
left join lateral (
    select received_at from hit where hit.position > checkpoint.position order by hit.position limit 1
) as oldest on true
where checkpoint.name = 'reports'

-- name: progress
-- The newest position bounds all committed hits from above; unlike the high-water mark it takes no lock. A goal whose
-- past is being counted has left its first place once the first piece has been: of most sites that is the whole.
select
    position, journal_position,
    (select case when is_called then last_value else 0 end from hit_position) as newest,
    (select coalesce(max(event.position), 0) from event) as journal_newest,
    exists (
        select from goal_version where site_id = %(site_id)s and fill_from = '-infinity'
    ) as new_goals
from projection_checkpoint
where name = 'reports'

-- name: sizes
select
    relname as name, pg_relation_size(oid) / current_setting('block_size')::bigint as pages,
    pg_total_relation_size(oid) as bytes
from unnest(%(tables)s::text[]) with ordinality as asked (name, place)
join pg_class on oid = to_regclass(asked.name)
order by place

-- name: goals_set_aside
select goal_id, site_id, set_aside as reason
from goal_version
where set_aside is not null and (%(site_id)s::bigint is null or site_id = %(site_id)s)
order by site_id, goal_id

-- name: state
select
    position, journal_position, sessions,
    (select count(*) from goal_version where fill_from is not null) as goals_to_fill
from projection_checkpoint
where name = 'reports'
