-- complete
complete as materialized (
    select version, number
    from goal_version
    where site_id = %(site_id)s and version = any({versions}::bigint[]) and fill_from is null and set_aside is null
)
