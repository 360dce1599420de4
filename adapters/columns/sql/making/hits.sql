-- hits
-- A hit belongs to its visitor's latest session that began with it or before it in the log. Reports ask for hits of one type:
-- these stand together, and those of one session among them: in this order what is repeated takes next to no space.
select
    hit.session_id, position, until_next, hit.visitor_id, make_timestamptz(occurred_at) as occurred_at, type, pathname, page_title,
    event_name, querystring, lcp, cls, inp, fcp, ttfb,
    lcp_class, cls_class, inp_class, fcp_class, ttfb_class, url, error_message, properties_json,
    from_json(
        properties, '[{{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}}]'
    ) as properties, {attributes}
from (
    select
        owners.session_id, hits.*,
        (lead(occurred_at) over (partition by owners.session_id order by occurred_at, position) - occurred_at)::integer as until_next
    from hits
    asof join owners on hits.visitor_id = owners.visitor_id and hits.position >= owners.session_id
) as hit
join sessions as session on session.session_id = hit.session_id
order by type, hit.session_id, position
