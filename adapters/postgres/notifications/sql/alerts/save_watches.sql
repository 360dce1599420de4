-- save_watches
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
