-- How far each export has been imported into each site: moved in the transaction that stores the hits.
create table hit_import (
    site_id bigint not null,
    source text not null,
    position bigint not null,
    primary key (site_id, source)
);
