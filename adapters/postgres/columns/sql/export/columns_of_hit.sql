-- columns_of_hit
position, hit.visitor_id, occurred_at, type, pathname, page_title, event_name, querystring,
lcp, cls, inp, fcp, ttfb,
case when type = 'outbound' then properties ->> 'url' end as url,
case when type = 'error' then message_of(properties) end as error_message,
properties::text as properties_json,
case when type = 'custom_event' and properties is not null then {properties} end as properties
