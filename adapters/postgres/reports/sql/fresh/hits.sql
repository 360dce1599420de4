-- hits
-- All hits of the sessions: of the stretches of time that they touch the hits are read once. Hits stored since the checkpoint
-- have no sessions yet.
with {selected},
stretch as materialized (
    select lower(span) as since, upper(span) as until
    from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from selected) as merged
)
select selected.session_id, {columns}
from (
    select hit.*
    from stretch
    cross join lateral (
        select *
        from hit
        where hit.site_id = {site_id} and occurred_at >= stretch.since and occurred_at <= stretch.until
            and position + 0 <= {position}
        offset 0
    ) as hit
    -- Planned for itself.
    offset 0
) as hit
join selected on selected.visitor_id = hit.visitor_id and occurred_at >= started_at and occurred_at <= ended_at
