-- placed_table
create temporary table if not exists placed (
    kind text not null, site_id bigint not null, visitor_id bigint not null, number bigint not null,
    started_at timestamptz not null, ended_at timestamptz not null, target_id bigint
) on commit delete rows
