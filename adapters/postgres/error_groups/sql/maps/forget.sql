-- forget
delete from source_map
where uploaded_at < %(cutoff)s
    or exists (
        select
        from unnest(%(sites)s::bigint[], %(cutoffs)s::timestamptz[]) as one (site_id, cutoff)
        where one.site_id = source_map.site_id and uploaded_at < one.cutoff
    )
