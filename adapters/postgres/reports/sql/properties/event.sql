-- event
-- The events in the period that satisfy a rule, of the selected sessions.
event_of_rule as materialized (
    select session_id, occurred_at, properties
    from {source}
    where event_name = %(event_name)s
        and (
            %(property_key)s::text is null
            or property_equals(properties -> %(property_key)s::text, %(property_value)s, %(property_decimal)s)
        )
)
