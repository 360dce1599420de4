-- The erasure of the hits of a person: step by step, each of which can be repeated (docs/read/visitor-data.md#erasing).

-- name: request
insert into visitor_erasure (
    erasure, site_id, requested_at, user_id, key_prefix, request_id, users, visitors, not_found,
    selectors
)
values (
    %(erasure)s, %(site_id)s, %(requested_at)s, %(user_id)s, %(key_prefix)s, %(request_id)s, %(users)s, %(visitors)s,
    %(not_found)s, %(selectors)s
)

-- name: of_site
select * from visitor_erasure where site_id = %(site_id)s order by requested_at desc, erasure

-- name: listed
select null::uuid as erasure, deleted_site as site_id, deleted_at as at, '{}'::text[] as selectors from erasure
union all
select erasure, site_id, requested_at, selectors from visitor_erasure where selectors <> '{}'
order by at, site_id

-- name: every_erasure
select erasure from visitor_erasure

-- name: users_of_site
select distinct user_id as id from hit where site_id = %(site_id)s and user_id is not null

-- name: browsers_of_site
select distinct visitor_id as id from hit where site_id = %(site_id)s

-- name: keep_selectors
update visitor_erasure set selectors = %(selectors)s where erasure = %(erasure)s

-- name: is_waiting
select exists (select from visitor_erasure where step <> 'finished') as waiting

-- name: waiting
select * from visitor_erasure where step <> 'finished' order by requested_at, erasure

-- name: move
-- The first time stays: `least` passes over a null.
update visitor_erasure
set step = %(step)s, erased_at = least(erased_at, statement_timestamp())
where erasure = %(erasure)s and step <> 'finished'
    and not exists (select from visitor_erasure_hit as noted where noted.erasure = visitor_erasure.erasure)

-- name: begin_snapshot
set transaction isolation level repeatable read

-- name: note_hits
insert into visitor_erasure_hit (erasure, site_id, occurred_at, position, visitor_id)
select %(erasure)s, %(site_id)s, occurred_at, position, visitor_id
from hit
where hit.site_id = %(site_id)s and hit.visitor_id = %(visitor_id)s
    and occurred_at >= %(started_at)s and occurred_at <= %(ended_at)s and hit.position <= %(projected)s
    and (user_id = any(%(users)s::text[]) or user_id is null and %(takes_unnamed)s)

-- name: found
update visitor_erasure
set step = 'erasing', found_up_to = %(projected)s
where erasure = %(erasure)s and step = 'finding'

-- name: merge_notes
-- When an erasure has ended, the days of the visits are kept without saying of which erasure they are.
with own as (
    delete from hit_erasure
    where site_id = %(site_id)s and starts_with(reason, 'visitor ' || %(erasure)s::text)
    returning first_position, since, until, finished_at
)
insert into hit_erasure as kept (site_id, reason, first_position, since, until, finished_at)
select
    %(site_id)s, 'visitor ' || (day at time zone 'UTC')::date, min(first_position), day, day + interval '24 hours',
    max(finished_at)
from own
cross join lateral generate_series(day_of(since), until - interval '1 microsecond', interval '24 hours') as day
group by day
on conflict (site_id, reason) do update set
    first_position = least(kept.first_position, excluded.first_position),
    finished_at = greatest(kept.finished_at, excluded.finished_at)

-- name: forget_hits
delete from visitor_erasure_hit where erasure = %(erasure)s

-- name: add_mails
update visitor_erasure set mails = mails + %(mails)s where erasure = %(erasure)s

-- name: keep_before
-- Hits that come meanwhile stay, too, and are not compared.
update visitor_erasure
set measured_up_to = (select position from projection_checkpoint where name = 'reports'), before = null, after = null
where erasure = %(erasure)s

-- name: keep_sums
update visitor_erasure
set before = coalesce(before, %(sums)s::jsonb), after = case when before is not null then %(sums)s::jsonb end
where erasure = %(erasure)s

-- name: unswept_nodes
select node, seen_at
from column_node
where not exists (
    select from visitor_sweep where erasure = %(erasure)s and visitor_sweep.node = column_node.node
)
order by node

-- name: copies
select host, directory, exported_at
from column_export
where site_id = %(site_id)s and exported_at <= (select erased_at from visitor_erasure where erasure = %(erasure)s)
order by host, directory

-- name: sources
select source
from (
    select 1 as kind, import_id as number, 'import ' || import_id || ' from ' || format || ', ' || state as source
    from site_import
    where site_id = %(site_id)s and state in ('running', 'stopped')
    union all
    select 2, 0, 'archive of the site ' || source from hit_import where site_id = %(site_id)s and position > 0
) as found
order by kind, number, source

-- name: fingerprint
-- views: own
-- The same for the same rows, in whatever order they are stored.
select count(*) as rows, concat_ws(' ', sum(left_half), sum(right_half)) as sums
from (
    select
        ('x' || substr(digest, 1, 15))::bit(60)::bigint::numeric as left_half,
        ('x' || substr(digest, 17, 15))::bit(60)::bigint::numeric as right_half
    from (select md5(own::text) as digest from own where site_id = %(site_id)s) as rows
) as halves

-- name: hits_that_stay
select *
from hit
where hit.position <= (select measured_up_to from visitor_erasure where erasure = %(erasure)s)
    and not exists (
        select from visitor_erasure_hit as noted
        where noted.erasure = %(erasure)s and noted.occurred_at = hit.occurred_at and noted.position = hit.position
    )

-- name: finish
update visitor_erasure
set
    step = 'finished', users = null, visitors = null, found_up_to = null, erased_at = null, measured_up_to = null,
    before = null, after = null, differences = null, certificate = %(certificate)s,
    finished_at = %(finished_at)s
where erasure = %(erasure)s and step = 'telling'

-- name: found_up_to
select found_up_to as projected from visitor_erasure where erasure = %(erasure)s

-- name: keep_differences
update visitor_erasure
set step = 'telling', differences = %(differences)s
where erasure = %(erasure)s and step = 'proving'

-- name: drop
delete from visitor_erasure where erasure = %(erasure)s

-- name: forget_sweeps
delete from visitor_sweep where erasure = %(erasure)s
