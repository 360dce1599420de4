-- hits
-- Reports ask for hits of one type: these stand together, and those of one session among them: in this order what is repeated
-- takes next to no space. The attributes of sessions come after it, so that they need not be put in order. Only of pageviews is
-- the time up to the next hit asked for. Types are put in order by their numbers and written as texts: of a column of numbered
-- values, groups of rows would tell a least and a greatest one that they may not hold.
select
    hit.session_id, position, hit.visitor_id, occurred_at, case when type = 'pageview' then until_next end as until_next,
    type::varchar as type, pathname, page_title, event_name, querystring, lcp, cls, inp, fcp, ttfb,
    classes[1] as lcp_class, classes[2] as cls_class, classes[3] as inp_class, classes[4] as fcp_class,
    classes[5] as ttfb_class, url, error_message, properties_json,
    from_json(
        properties, '[{{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}}]'
    ) as properties, {attributes}
from (
    -- The long expression of a class is written once: it takes longer to plan than to compute for a few hits.
    select
        *,
        case when type = 'performance'
            then list_transform([lcp, cls, inp, fcp, ttfb], lambda measure : class_of(measure))
        end as classes
    from ({placed})
) as hit
join sessions as session on session.session_id = hit.session_id
