-- announce
insert into retained (site_id, since)
values (%(site_id)s, %(before)s)
on conflict (site_id) do update set since = greatest(retained.since, excluded.since)
