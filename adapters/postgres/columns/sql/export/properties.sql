-- properties
(
    select json_agg(one)
    from (
        select
            key, jsonb_typeof(value) as kind,
            case when jsonb_typeof(value) in ('string', 'number', 'boolean') then value #>> '{{}}' end as text,
            decimal_of(value) as decimal
        from jsonb_each(properties)
    ) as one
)
