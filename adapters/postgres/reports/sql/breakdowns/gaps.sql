-- gaps
gap as materialized (
    select * from unnest(%(gap_starts)s::timestamptz[], %(gap_ends)s::timestamptz[]) as gap ("from", "to")
)
