-- The day on which each link of a site was last used, by the beginning of the digest of its key.

create table link_use (
    site_id bigint not null,
    link text not null,
    used_on date not null,
    primary key (site_id, link)
);
