-- take_slice
-- Hit by hit the fold costs more than everything else here. Where the order of a visitor's hits makes no difference it
-- is not needed: all lie near the visitor's latest session, or all lie beside each other and none is near it.
insert into slice
with taken as materialized (
    select
        position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
        hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
        browser_version, operating_system, operating_system_version, device_type, country, region, city, release
    from hit
    where position > %(after)s and position <= %(up_to)s
),
visitor as materialized (
    select
        those.site_id, those.visitor_id, latest.session_id, latest.started_at, latest.ended_at,
        case
            when those.first_at >= latest.started_at - interval '30 minutes'
                and those.last_at <= latest.ended_at + interval '30 minutes'
                and greatest(those.last_at, latest.ended_at) - least(those.first_at, latest.started_at)
                    <= interval '24 hours'
            then latest.session_id
            when those.last_at - those.first_at <= interval '30 minutes'
                and (
                    latest.session_id is null
                    or those.first_at > latest.ended_at + interval '30 minutes'
                    or those.last_at < latest.started_at - interval '30 minutes'
                )
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
        order by session_id desc
        limit 1
    ) as latest on true
),
folded as (
    select
        position,
        (session_so_far(session_id, started_at, ended_at, position, occurred_at) over (
            partition by site_id, visitor_id order by position
        )).session_id
    from taken
    join visitor using (site_id, visitor_id)
    where sure_id is null
)
select
    coalesce(sure_id, folded.session_id),
    position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
    browser_version, operating_system, operating_system_version, device_type, country, region, city, release
from taken
join visitor using (site_id, visitor_id)
left join folded using (position)
