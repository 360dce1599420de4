-- Funnels of sites, whose definitions stand in the journal as those of goals do.

create sequence funnel_id;

-- The history of a site needs the funnels that it ever had, deleted ones included, and so does the erasure of a site.
create index event_funnels_of_site on event (((data ->> 'site_id')::bigint)) where type = 'funnel-defined';
