-- take_slice
-- The hits of most visitors are in order, and one look at the visitor's latest session says where they belong: all of them
-- go on with it, or all begin the next one. The hits of the others have no session yet.
insert into slice
with taken as materialized (
    select
        position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
        {first_hit_attributes}, release
    from hit
    where position > %(after)s and position <= %(up_to)s
),
visitor as materialized (
    select
        those.site_id, those.visitor_id,
        case
            when those.first_at >= latest.started_at and those.last_at <= latest.ended_at + interval '30 minutes'
                and (
                    those.last_at <= latest.ended_at
                    -- On one day all near hits are of one session, however long their run is.
                    or day_of(those.last_at) = day_of(latest.started_at)
                    -- A session that goes on after midnight is the whole of its run unless it began just after one.
                    or latest.started_at >= day_of(latest.started_at) + interval '30 minutes'
                        and those.last_at - latest.started_at <= interval '24 hours'
                        and not exists (
                            select from session_mark
                            where session_mark.site_id = those.site_id and session_mark.visitor_id = those.visitor_id
                                and cutoff > latest.ended_at and cutoff <= those.last_at
                        )
                )
            then latest.session_id
            when (latest.session_id is null or those.first_at > latest.ended_at + interval '30 minutes')
                and those.last_at - those.first_at <= interval '30 minutes'
                and day_of(those.first_at) = day_of(those.last_at)
            then those.first_position
        end as sure_id
    from (
        select
            site_id, visitor_id, min(position) as first_position, min(occurred_at) as first_at,
            max(occurred_at) as last_at
        from taken
        group by site_id, visitor_id
    ) as those
    left join lateral (
        select session_id, started_at, ended_at
        from session
        where session.site_id = those.site_id and session.visitor_id = those.visitor_id
        order by started_at desc
        limit 1
    ) as latest on true
)
select
    sure_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    {first_hit_attributes}, release, false
from taken
join visitor using (site_id, visitor_id)
