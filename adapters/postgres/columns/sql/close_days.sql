-- close_days
-- The latest days first, which are asked for most often. A day that is not over stays open until it has many hits.
with due as materialized (
    {due}
    order by day desc, site_id desc
    limit %(days)s
),
measured as materialized (
    select
        site_id, day, is_present,
        (
            select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0)
            from traffic_bucket
            where traffic_bucket.site_id = due.site_id and bucket >= day and bucket < day + interval '24 hours'
        ) as hits
    from due
),
counted as materialized (
    select
        site_id, day, is_present, is_present and hits < %(present)s as waits, hits,
        gen_random_uuid() as version, column_store() as store,
        (
            select count(*)
            from (
                select
                from session
                where session.site_id = measured.site_id
                    and started_at >= day and started_at < day + interval '24 hours'
                -- Of a day that stays open it is enough to know whether there are any.
                limit case when is_present and hits < %(present)s then 1 end
            ) as one
        ) as sessions
    from measured
),
forgotten as (
    delete from column_change using due where column_change.site_id = due.site_id and column_change.day = due.day
),
empty as (
    delete from column_day
    using counted
    where column_day.site_id = counted.site_id and column_day.day = counted.day and counted.sessions = 0
),
waiting as (
    update column_day
    set state = 'open', version = null, store = null, sessions = 0, changes = 0, since = now()
    from counted
    where column_day.site_id = counted.site_id and column_day.day = counted.day and counted.sessions > 0
        and waits
),
closed as (
    update column_day
    set
        state = case when hits < %(small)s then 'small' else 'closed' end::column_day_state,
        version = case when hits < %(small)s then null else counted.version end,
        store = case when hits < %(small)s then null else counted.store end,
        sessions = counted.sessions, held_hits = counted.hits, changes = 0, since = now()
    from counted
    where column_day.site_id = counted.site_id and column_day.day = counted.day and counted.sessions > 0
        and not waits
)
select
    count(*) as days, count(*) filter (where not waits) as closed,
    coalesce(bool_or(is_present and not waits), false) as is_present,
    array_agg(distinct site_id) filter (where not waits and hits < %(small)s) as small_sites,
    (array_agg(day order by day, site_id))[1] as before_day, (array_agg(site_id order by day, site_id))[1] as before_site
from counted
