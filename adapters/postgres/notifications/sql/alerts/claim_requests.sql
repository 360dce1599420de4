-- claim_requests
-- One request of each site at a time, and none of those with one under way: a target that stalls keeps one place busy.
-- Without an address the target was removed meanwhile.
with first as materialized (
    select distinct on (site_id) key, due_at
    from alert_request
    where due_at <= %(now)s and site_id <> all(%(without)s::bigint[])
    order by site_id, due_at, key
),
claimed as (
    select alert_request.key
    from alert_request
    join first using (key)
    where alert_request.due_at <= %(now)s
    order by alert_request.due_at, key
    limit %(limit)s
    for update of alert_request skip locked
),
moved as (
    update alert_request set due_at = %(until)s from claimed where alert_request.key = claimed.key
    returning alert_request.*
)
select
    moved.key, site_id, target, content_type, body, signed, queued_at, attempts, coalesce(url, '') as url, secret
from moved
left join alert_target using (site_id, target)
order by queued_at, key
