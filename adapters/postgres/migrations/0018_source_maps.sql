-- Minified files of sites with their source maps, compressed, by release (docs/errors/source-maps.md).

create table source_map (
    site_id bigint not null,
    release text not null,
    file text not null,
    digest text not null,
    -- Bytes of the file and its map as texts, and as they are stored.
    size bigint not null,
    stored bigint not null,
    code bytea not null,
    map bytea not null,
    uploaded_at timestamptz not null,
    primary key (site_id, release, file)
);

-- They are compressed already.
alter table source_map alter column code set storage external, alter column map set storage external;

create index source_map_by_age on source_map (uploaded_at);
