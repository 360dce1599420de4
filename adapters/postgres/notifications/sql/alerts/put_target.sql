-- put_target
insert into alert_target (site_id, target, url, secret)
values (%(site_id)s, %(target)s, %(url)s, %(secret)s)
on conflict (site_id, target) do update set url = excluded.url, secret = excluded.secret
