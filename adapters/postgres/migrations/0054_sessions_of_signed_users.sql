-- The sessions of a signed user, on any browser, are found by it; those of a browser have an index already.
create index on session (site_id, signed_visitor_id, started_at) where signed_visitor_id is not null;
