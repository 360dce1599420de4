-- hits
-- Reports ask for hits of one type: these stand together, and those of one session among them: in this order what is repeated
-- takes next to no space. The attributes of sessions come after it, so that they need not be put in order. Only of pageviews is
-- the time up to the next hit asked for.
select
    hit.session_id, position, hit.visitor_id, make_timestamptz(occurred_at) as occurred_at,
    case when type = 'pageview' then until_next end as until_next, type, pathname, page_title, event_name, querystring,
    lcp, cls, inp, fcp, ttfb, lcp_class, cls_class, inp_class, fcp_class, ttfb_class, url, error_message, properties_json,
    from_json(
        properties, '[{{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}}]'
    ) as properties, {attributes}
from (
    select session_id, until_next, hits.*
    from hits
    join places using (position)
    order by type, session_id, position
) as hit
join sessions as session on session.session_id = hit.session_id
