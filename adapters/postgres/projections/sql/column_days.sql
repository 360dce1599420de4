-- Days whose files a slice has made out of date.

-- name: mark_column_days
-- A session belongs to the day of its start; one whose start moves to another day is a change of both, and one that is no
-- more is a change of its day. Of a closed day its id is recorded, all other days are open from then on.
with touched as materialized (
    select site_id, day_of(started_at) as day, session_id from session_delta
    union all
    select site_id, day_of(was_started_at), session_id
    from session_delta
    where day_of(was_started_at) <> day_of(started_at)
    union all
    select site_id, day_of(started_at), session_id from regrouped where sign < 0
),
day as materialized (
    select site_id, day, coalesce(state = 'closed', false) as closed
    from (select distinct site_id, day from touched) as own
    left join column_day using (site_id, day)
),
changed as (
    insert into column_change (site_id, day, session_id)
    select distinct site_id, day, session_id
    from touched
    join day using (site_id, day)
    where closed
    on conflict do nothing
    returning site_id, day
),
counted as (
    update column_day as kept
    set changes = kept.changes + new.changes, changed_at = now()
    from (select site_id, day, count(*) as changes from changed group by site_id, day) as new
    where kept.site_id = new.site_id and kept.day = new.day
)
insert into column_day as kept (site_id, day, state, since, changed_at)
select site_id, day, 'open', now(), now() from day where not closed
on conflict (site_id, day) do update set
    state = 'open',
    since = case when kept.state = 'open' then kept.since else excluded.since end,
    changed_at = excluded.changed_at
where kept.state <> 'open' or kept.changed_at < excluded.changed_at - interval '10 seconds'
