-- incomplete_rules
(
    select coalesce(jsonb_agg(rule), '[]')
    from jsonb_array_elements({rules}) as rule
    where coalesce((rule ->> 'version')::bigint not in (select version from complete), true)
)
