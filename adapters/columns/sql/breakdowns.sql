-- Shares of the values of an attribute, of pages and of places where goals were reached, from files.

-- name: with_property
-- The hits that have a property, each with its text.
select *
from (
    select session_id, counted_visitor, property_text(one) as value
    from (
        select session_id, counted_visitor, unnest(list_filter(properties, lambda one: one.key = $key)) as one from hits
    ) as keyed
) as texts
where value is not null

-- name: with_parameter
-- The hits that have a query parameter, each with its text: each query string is taken apart once.
with texts as materialized (
    select querystring, query_parameter(querystring, $key) as value
    from (select distinct querystring from hits where querystring is not null) as written
)
select session_id, counted_visitor, texts.value
from hits
join texts using (querystring)
where texts.value is not null

-- name: value_counts
-- A bare column is grouped by the numbers that its values have in a file.
select value, count(*) as count from valued group by value

-- name: counts
-- Unknown values and empty ones meet after they have been counted, as do the referrers of a host, which is computed once for each
-- of them rather than for each session.
select coalesce(value, '') as value, sum(count)::bigint as count, null as visitors from shown group by 1

-- name: counts_of_parameter
select query_parameter(value, $key) as value, sum(count)::bigint as count, null as visitors
from value_counts
where query_parameter(value, $key) is not null
group by 1

-- name: counts_and_visitors
-- Grouped by value and visitor, and then by value: hashing twice is several times faster than count(distinct).
with each as (
    select coalesce(value, '') as value, counted_visitor, count(*) as count from valued group by 1, 2
)
select value, sum(count)::bigint as count, count(*) as visitors from each group by value

-- name: unranked
select *, null as rank from counted

-- name: ranked_by_count
select *, row_number() over (order by count desc, value) as rank from counted

-- name: ranked_by_conversions
select *, row_number() over (order by conversions desc, count desc, value) as rank from counted

-- name: page
with page as (select * from listed where is_chosen order by count desc, value limit $limit offset $offset),
everything as (
    select count(*) filter (where is_chosen) as "values", coalesce(sum(count), 0)::bigint as count from listed
)
select everything."values", everything.count, page.value, page.count, page.visitors, page.rank
from everything
left join page on true
order by page.count desc, page.value

-- name: views
select
    coalesce(pathname, '') as value, count(*) as count, count(until_next) as timed,
    coalesce(sum(until_next), 0)::bigint as microseconds, count(engaged_ms) as engaged,
    coalesce(sum(engaged_ms), 0)::bigint as engaged_ms, count(scroll_percent) as scrolled,
    coalesce(sum(scroll_percent), 0)::bigint as scroll_percent
from hits
group by 1

-- name: pages
-- Views are read once for the sums of all paths, and once for the visitors of those on the page: sums of each visitor are
-- twice the work.
with page as materialized (select * from listed where is_chosen order by count desc, value limit $limit offset $offset),
person as (
    select value, count(*) as visitors
    from (
        select distinct coalesce(pathname, '') as value, counted_visitor
        from hits
        where coalesce(pathname, '') in (select value from page)
    )
    group by value
),
entered as (
    select
        coalesce(entry_page, '') as value, 1 as entries,
        (pageviews = 1 and custom_events = 0 and outbound_clicks = 0)::bigint as bounces,
        (engaged_pageviews > 0)::bigint as engaged, engaged_ms
    from sessions
    where pageviews > 0
),
entry as (
    select
        value, sum(entries)::bigint as entries, sum(bounces)::bigint as bounces, sum(engaged)::bigint as engaged,
        sum(engaged_ms)::bigint as engaged_ms
    from entered
    where value in (select value from page)
    group by value
),
everything as (
    select count(*) filter (where is_chosen) as "values", coalesce(sum(count), 0)::bigint as count from listed
)
select
    everything."values", everything.count, page.value, page.microseconds, page.count, person.visitors,
    coalesce(entry.entries, 0), coalesce(entry.bounces, 0), coalesce(entry.engaged, 0), coalesce(entry.engaged_ms, 0),
    page.timed, page.engaged, page.engaged_ms, page.scrolled, page.scroll_percent
from everything
left join page on true
left join person on person.value = page.value
left join entry on entry.value = page.value
order by page.count desc, page.value

-- name: measured
-- Hits are read once, and only for the classes of measures.
select
    coalesce(pathname, '') as value, lcp_class as lcp, cls_class as cls, inp_class as inp, fcp_class as fcp,
    ttfb_class as ttfb
from hits

-- name: vitals
with page as (
    select value, count(*) as samples
    from listed
    where is_chosen
    group by value
    order by samples desc, value
    limit $limit offset $offset
)
select
    null as pathname, count(*) as samples, percentiles(lcp), percentiles(cls), percentiles(inp), percentiles(fcp),
    percentiles(ttfb)
from total
having count(*) > 0
union all
select
    value, count(*), percentiles(lcp), percentiles(cls), percentiles(inp), percentiles(fcp), percentiles(ttfb)
from total
where value in (select value from page)
group by value

-- name: hits_and_conversions
-- Counts and conversions say which values are on the page. Sessions and visitors are counted for these alone, by hashing, which
-- is several times faster than count(distinct).
select value, sum(count)::bigint as count, sum(conversions)::bigint as conversions
from (
    select coalesce(value, '') as value, count(*) as count, 0 as conversions from valued group by 1
    union all
    select value, 0, count(*)
    from (
        select distinct coalesce(value, '') as value, session_id
        from valued
        where session_id in (select session_id from converted)
    )
    group by value
)
group by value

-- name: page_of_hits
with page as materialized (
    select * from listed where is_chosen order by conversions desc, count desc, value limit $limit offset $offset
),
person as (
    select value, counted_visitor, count(*) as sessions
    from (
        select distinct coalesce(value, '') as value, counted_visitor, session_id
        from valued
        where coalesce(value, '') in (select value from page)
    )
    group by value, counted_visitor
),
met as (select value, count(*) as visitors, sum(sessions)::bigint as sessions from person group by value),
everything as (
    select count(*) filter (where is_chosen) as "values", coalesce(sum(count), 0)::bigint as count from listed
)
select
    everything."values", everything.count, page.value, page.count, met.visitors, page.conversions, met.sessions, page.rank
from everything
left join page on true
left join met on met.value = page.value
order by page.conversions desc, page.count desc, page.value

-- name: sessions_and_conversions
-- Each session has one value. Grouped by value and visitor, and then by value: hashing is several times faster than
-- count(distinct).
with person as (
    select
        coalesce(value, '') as value, counted_visitor, count(*) as count, count(converted.session_id) as conversions
    from valued
    left join converted using (session_id)
    group by 1, 2
)
select value, sum(count)::bigint as count, count(*) as visitors, sum(conversions)::bigint as conversions
from person
group by value

-- name: page_of_sessions
with page as (
    select * from listed where is_chosen order by conversions desc, count desc, value limit $limit offset $offset
),
everything as (
    select count(*) filter (where is_chosen) as "values", coalesce(sum(count), 0)::bigint as count from listed
)
select
    everything."values", everything.count, page.value, page.count, page.visitors, page.conversions, page.count,
    page.rank
from everything
left join page on true
order by page.conversions desc, page.count desc, page.value

-- name: converted
select distinct session_id from reached

-- name: sums
-- The few sessions with numbers are found first, and of the others neither values nor hits are kept.
with numbered as materialized (
    select session_id, key, count(number) as numbers, sum(number) as sum
    from (
        select session_id, one.key as key, property_number(one) as number
        from (
            select
                session_id,
                unnest(list_filter(properties, lambda one: list_contains(from_json($keys, '["VARCHAR"]'), one.key))) as one
            from events
        ) as one
    ) as one
    where number is not null
    group by session_id, key
),
of_sessions as (
    select distinct coalesce(value, '') as value, session_id
    from valued
    where session_id in (select session_id from numbered)
)
select value, key, sum(numbers)::bigint, sum(sum)::varchar
from of_sessions
join numbered using (session_id)
where value in (select unnest(from_json($among, '["VARCHAR"]')))
group by value, key
