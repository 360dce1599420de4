-- Measures find their pageviews by it. No hit from before has a key, but each is read: only writers wait for a migration of its own,
-- readers would wait, too, for one that gives hits a column.
create index hit_of_pageview on hit (pageview_key) where pageview_key is not null;
