-- groups
-- The values of a property by type; numbers are plain decimals. Arrays, objects and null have no text.
select
    jsonb_typeof(value) as type,
    coalesce(
        case jsonb_typeof(value)
            when 'number' then decimal_of(value)
            when 'string' then value #>> '{{}}'
            when 'boolean' then value #>> '{{}}'
        end,
        ''
    ) as value,
    {number} as number, count(*) as count, count(distinct session_id) as sessions
from (select session_id, properties -> %(key)s::text as value from event_of_rule where properties ? %(key)s::text) as one
group by 1, 2, 3
