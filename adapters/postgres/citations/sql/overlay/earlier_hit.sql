-- earlier_hit
-- Before the first quarter of an hour that may have an earlier hit, all hits came later.
select * from {schema}.hit
where site_id = {site_id} and {is_shown}
    and occurred_at >= coalesce(
        (
            select quarter
            from {schema}.quarter_position
            where site_id = {site_id} and first_position <= {last}
            order by quarter
            limit 1
        ),
        '-infinity'
    )
