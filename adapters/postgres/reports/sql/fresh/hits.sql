-- hits
-- All hits of the sessions: of the stretches of time that they touch the hits are read once. Hits of a session are those of its
-- visitor from the hit that began it to the one that began the visitor's next session. Hits stored since the checkpoint have no
-- sessions yet.
with {selected},
owner as materialized (
    select selected.visitor_id, selected.session_id, coalesce(next.session_id, 9223372036854775807) as until
    from selected
    left join lateral (
        select session.session_id
        from session
        where session.site_id = {site_id} and session.visitor_id = selected.visitor_id
            and session.session_id > selected.session_id
        order by session.session_id
        limit 1
    ) as next on true
),
stretch as materialized (
    select lower(span) as since, upper(span) as until
    from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from selected) as merged
)
select owner.session_id, {columns}
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
join owner on owner.visitor_id = hit.visitor_id and position >= owner.session_id and position < owner.until
