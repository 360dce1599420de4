-- Watches of alerts, their targets and the requests to these.

-- name: due_watches
select site_id, rule, revision, evaluated_until, due_at, firing, calm, obstacle
from alert_watch
where due_at <= %(now)s
order by due_at, site_id, rule
limit %(limit)s

-- name: watch_revisions
select site_id, rule, revision from alert_watch

-- name: save_watches
insert into alert_watch (site_id, rule, revision, evaluated_until, due_at, firing, calm, obstacle)
select *
from unnest(
    %(sites)s::bigint[], %(rules)s::integer[], %(revisions)s::integer[], %(until)s::timestamptz[],
    %(due)s::timestamptz[], %(firing)s::boolean[], %(calm)s::integer[], %(obstacles)s::text[]
)
on conflict (site_id, rule) do update
set
    revision = excluded.revision, evaluated_until = excluded.evaluated_until, due_at = excluded.due_at,
    firing = excluded.firing, calm = excluded.calm, obstacle = excluded.obstacle

-- name: forget_watches
delete from alert_watch
using unnest(%(sites)s::bigint[], %(rules)s::integer[]) as gone (site_id, rule)
where alert_watch.site_id = gone.site_id and alert_watch.rule = gone.rule

-- name: watches_of_site
select site_id, rule, revision, evaluated_until, due_at, firing, calm, obstacle
from alert_watch
where site_id = %(site_id)s

-- name: put_target
insert into alert_target (site_id, target, url, secret)
values (%(site_id)s, %(target)s, %(url)s, %(secret)s)
on conflict (site_id, target) do update set url = excluded.url, secret = excluded.secret

-- name: remove_target
with gone as (
    delete from alert_request where site_id = %(site_id)s and target = %(target)s
)
delete from alert_target where site_id = %(site_id)s and target = %(target)s

-- name: read_addresses
select site_id, target, url, secret from alert_target order by site_id, target

-- name: enqueue_request
insert into alert_request (key, site_id, target, content_type, body, signed, after_key, queued_at, due_at)
values (%(key)s, %(site_id)s, %(target)s, %(content_type)s, %(body)s, %(signed)s, %(after)s, %(at)s, %(at)s)
on conflict (key) do nothing

-- name: is_request_waiting
select exists (
    select
    from alert_request
    where
        due_at <= %(now)s
        and not exists (
            select from alert_request as former
            where former.key = alert_request.after_key and former.due_at is not null
        )
) as waiting

-- name: claim_requests
-- One request of each site at a time, and none of those with one under way: a target that stalls keeps one place busy.
-- Without an address the target was removed meanwhile. Requests are held until the ones that they come after are done.
with first as materialized (
    select distinct on (site_id) key, due_at
    from alert_request
    where
        due_at <= %(now)s
        and site_id <> all(%(without)s::bigint[])
        and not exists (
            select from alert_request as former
            where former.key = alert_request.after_key and former.due_at is not null
        )
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
    moved.key, site_id, target, content_type, body, signed, after_key, queued_at, attempts,
    coalesce(url, '') as url, secret,
    (
        select former.reason
        from alert_request as former
        where former.key = moved.after_key and former.outcome = 'given-up'
    ) as former_failure
from moved
left join alert_target using (site_id, target)
order by queued_at, key

-- name: record_delivered
update alert_request
set outcome = 'delivered', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = null, body = null
where key = %(key)s

-- name: postpone_request
update alert_request set due_at = %(until)s, attempts = attempts + 1, reason = %(reason)s
where key = %(key)s and due_at is not null

-- name: give_up_request
update alert_request
set
    outcome = 'given-up', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = %(reason)s, body = null
where key = %(key)s

-- name: latest_requests
select distinct on (target) target, coalesce(outcome, 'waiting') as outcome, queued_at, attempts, reason, finished_at
from alert_request
where site_id = %(site_id)s
order by target, queued_at desc, key

-- name: forget_requests
-- The latest request to a target stays as the one that is shown, so that no failure before it is. Once an hour this
-- reads all rows, 0.4 seconds for a million: an index by outcome would cost more with each request.
delete from alert_request
where
    (outcome = 'given-up' and finished_at < %(given_up_before)s)
    or (
        outcome = 'delivered' and finished_at < %(delivered_before)s
        and exists (
            select from alert_request as later
            where
                later.site_id = alert_request.site_id
                and later.target = alert_request.target
                and later.queued_at > alert_request.queued_at
        )
    )
