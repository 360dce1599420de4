-- read_addresses
select site_id, target, url, secret from alert_target order by site_id, target
