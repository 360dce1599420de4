-- watch_revisions
select site_id, rule, revision from alert_watch
