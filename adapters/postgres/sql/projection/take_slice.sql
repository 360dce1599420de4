-- take_slice
insert into slice
with taken as materialized (
    select *
    from hit
    where position > %(after)s and position <= %(up_to)s
),
latest as (
    select visitor.site_id, visitor.visitor_id, session.session_id, session.started_at, session.ended_at
    from (select distinct site_id, visitor_id from taken) as visitor
    cross join lateral (
        select session_id, started_at, ended_at
        from session
        where session.site_id = visitor.site_id and session.visitor_id = visitor.visitor_id
        order by session_id desc
        limit 1
    ) as session
)
select
    (session_so_far(latest.session_id, latest.started_at, latest.ended_at, taken.position, taken.occurred_at) over (
        partition by taken.site_id, taken.visitor_id order by taken.position
    )).session_id,
    position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
    browser_version, operating_system, operating_system_version, device_type, country, region, city
from taken
left join latest using (site_id, visitor_id)
