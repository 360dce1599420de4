-- What has an age: names of events, counts of outcomes and of refused bots, and measures without a pageview.

-- name: forget_idempotency
delete from idempotency
where (site_id, key) in (
    select site_id, key from idempotency where stored_at < %(before)s limit 10000
)

-- name: forget_outcomes
delete from ingestion_outcome
where ctid = any(array(select ctid from ingestion_outcome where quarter < %(before)s limit 10000))

-- name: forget_refused_bots
-- Leaves those of imports, which go with their hits, by the retention of the site. Days end up to twelve hours after those of UTC.
delete from refused_bot
where ctid = any(array(
    select ctid
    from refused_bot
    where day < (%(before)s::timestamptz at time zone 'UTC')::date - 1 and import_id = 0
    limit 10000
))

-- name: settle_measures
-- with: taken as measure
-- views: intake/measures/pageview
-- Measures that have been stored for so long that no pageview can come that they would count for: those without one go. Each is
-- looked at once, until months of hits are dropped.
with gone as (
    delete from engagement
    where position in (select position from measure except select measured_at from pageview)
)
update engagement_settled
set position = (select max(position) from measure)
where exists (select from measure)

-- name: taken
select position, site_id, pageview_key, received_at
from engagement
where position > (select position from engagement_settled)
    and position <= (
        select traffic from position_minute where minute <= %(before)s order by minute desc limit 1
    )
order by position
limit 5000
