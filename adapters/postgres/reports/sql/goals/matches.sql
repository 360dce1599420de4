-- matches
-- The hits in which some rules match, by the index of the rule. Each path is compared once, goal by goal: PostgreSQL remembers
-- only the last few regular expressions that it has prepared.
asked as materialized (
    select *
    from jsonb_to_recordset({rules}) as asked (
        index integer, path_equals text, path_prefix text, path_regex text, event_name text, property_key text,
        property_value text, property_decimal text
    )
),
inside as materialized ({inside}),
path as materialized (
    select distinct pathname from inside where type = 'pageview' and pathname is not null
),
matching_path as materialized (
    select asked.index, path.pathname
    from asked
    cross join lateral (
        select pathname
        from path
        where path_matches(path_equals, path_prefix, path_regex, pathname)
        offset 0
    ) as path
    where asked.event_name is null
),
match as (
    select index, site_id, visitor_id, position, occurred_at
    from inside
    join matching_path using (pathname)
    where type = 'pageview'
    union all
    select index, site_id, visitor_id, position, occurred_at
    from inside
    join asked using (event_name)
    where type = 'custom_event'
        and (property_key is null or property_equals(properties -> property_key, property_value, property_decimal))
)
