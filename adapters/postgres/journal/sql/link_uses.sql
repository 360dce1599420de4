-- The last uses of links.

-- name: record_link_uses
-- Callers sort the links, so that two workers which record the same ones cannot deadlock.
insert into link_use (site_id, link, used_on)
select * from unnest(%(site_ids)s::bigint[], %(links)s::text[], %(used_on)s::date[])
on conflict (site_id, link) do update set used_on = excluded.used_on where link_use.used_on < excluded.used_on

-- name: read_link_uses
select link, used_on from link_use where site_id = %(site_id)s
