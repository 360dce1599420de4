-- add_hits
insert into slice (position, site_id, visitor_id, occurred_at, type, again)
select position, %(site_id)s, visitor_id, occurred_at, type, false from later_hit
