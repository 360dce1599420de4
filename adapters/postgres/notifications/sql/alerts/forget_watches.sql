-- forget_watches
delete from alert_watch
using unnest(%(sites)s::bigint[], %(rules)s::integer[]) as gone (site_id, rule)
where alert_watch.site_id = gone.site_id and alert_watch.rule = gone.rule
