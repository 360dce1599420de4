-- take_earlier_hits
-- The other hits of changed sessions, with the sessions that they form without the later ones. The present extent of the sessions
-- holds all of them: of these stretches of time the hits are read once.
insert into slice (
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    {first_hit_attributes}
)
with old as materialized (
    select session.visitor_id, session.started_at, least(session.ended_at, %(later_since)s::timestamptz) as ended_at
    from changed_session
    join {schema}.session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
    where changed_session.session_id <= %(last)s and session.started_at < %(later_since)s
),
stretch as materialized (
    select lower(span) as since, upper(span) as until
    from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from old) as merged
),
earlier as materialized (
    select hit.*, hit.occurred_at as at
    from stretch
    cross join lateral (
        select *
        from {schema}.hit
        where hit.site_id = %(site_id)s and occurred_at >= stretch.since and occurred_at <= stretch.until
            and not {is_aside} and visitor_id in (select visitor_id from old)
        offset 0
    ) as hit
    where exists (
        select from old
        where old.visitor_id = hit.visitor_id and old.started_at <= hit.occurred_at and old.ended_at >= hit.occurred_at
    )
    limit %(limit)s
),
followed as (
    select *, lag(at) over (partition by visitor_id order by at, position) as before from earlier
),
numbered as (
    select *, count(*) filter (where {begins}) over (partition by visitor_id order by at, position) as run from followed
),
measured as (
    select
        *, min(at) over (partition by visitor_id, run) as since, max(at) over (partition by visitor_id, run) as until
    from numbered
),
cut as (
    select
        *,
        day_of(since) < day_of(until) and (
            until - since > interval '24 hours'
            or exists (
                select from session_mark
                where session_mark.site_id = %(site_id)s and session_mark.visitor_id = measured.visitor_id
                    and cutoff <= since and since <= last_at + interval '30 minutes'
                    and until - first_at > interval '24 hours'
            )
        ) as is_long
    from measured
)
select
    min(position) over (partition by visitor_id, run, case when is_long then day_of(at) end), position, site_id, visitor_id,
    occurred_at, type, user_id, pathname, page_title, event_name, properties,
    {first_hit_attributes}
from cut
