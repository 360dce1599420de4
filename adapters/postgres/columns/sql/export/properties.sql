-- properties
(
    select jsonb_agg(jsonb_build_object(
        'key', key, 'kind', jsonb_typeof(value),
        'text', case when jsonb_typeof(value) in ('string', 'number', 'boolean') then value #>> '{{}}' end,
        'decimal', decimal_of(value)
    ))
    from jsonb_each(properties)
)
