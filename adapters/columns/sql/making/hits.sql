-- hits
-- Reports ask for hits of one type: these stand together, and those of one session among them: in this order what is repeated
-- takes next to no space. The attributes of sessions come after it, so that they need not be put in order. Only of pageviews is
-- the time up to the next hit asked for. Types are put in order by their numbers and written as texts: of a column of numbered
-- values, groups of rows would tell a least and a greatest one that they may not hold.
select
    hit.session_id, position, hit.visitor_id, occurred_at, case when type = 'pageview' then until_next end as until_next,
    type::varchar as type, pathname, page_title, event_name, querystring, lcp, cls, inp, fcp, ttfb,
    class_of(lcp, exact_lcp) as lcp_class, class_of(cls, exact_cls) as cls_class,
    class_of(inp, exact_inp) as inp_class, class_of(fcp, exact_fcp) as fcp_class,
    class_of(ttfb, exact_ttfb) as ttfb_class, url, error_message, properties_json,
    from_json(
        properties, '[{{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}}]'
    ) as properties, {attributes}
from (
    -- Of their own, since each branch of a class would compute them again.
    select
        *, ten_thousandths(lcp) as exact_lcp, ten_thousandths(cls) as exact_cls, ten_thousandths(inp) as exact_inp,
        ten_thousandths(fcp) as exact_fcp, ten_thousandths(ttfb) as exact_ttfb
    from ({placed})
) as hit
join sessions as session on session.session_id = hit.session_id
