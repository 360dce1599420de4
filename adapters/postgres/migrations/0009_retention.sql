-- From when on the hits of a site are kept: earlier ones have been erased, or are about to be.
create table retained (
    site_id bigint primary key,
    since timestamptz not null
);
