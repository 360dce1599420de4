-- is_swept
select not exists (
    select from column_node
    where not exists (
        select from column_sweep where deleted_site = %(site_id)s and column_sweep.node = column_node.node
    )
) as swept
