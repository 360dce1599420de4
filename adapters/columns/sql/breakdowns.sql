-- Shares of the values of an attribute, of pages and of places where goals were reached, from files.

-- name: with_property
-- The hits that have a property, each with its text.
select *
from (
    select * exclude (one), {text} as text
    from (select *, unnest(list_filter(properties, lambda one: one.key = {key})) as one from ({hits}) as hit) as keyed
) as texts
where text is not null

-- name: with_parameter
-- The hits that have a query parameter, each with its text: each query string is taken apart once.
with texts as materialized (
    select querystring, {text} as text
    from (select distinct querystring from ({hits}) as hit where querystring is not null) as written
)
select hit.*, texts.text
from ({hits}) as hit
join texts using (querystring)
where texts.text is not null

-- name: values_among
value in (select unnest(from_json($among, '["VARCHAR"]')))

-- name: no_rank
null

-- name: counts
-- A bare column is grouped by the numbers that its values have in a file; unknown values and empty ones meet afterwards,
-- as do the referrers of a host, which is computed once for each of them rather than for each session.
with total as (
    select coalesce({shown}, '') as value, sum(count)::bigint as count
    from (select {column} as value, count(*) as count from ({source}) as counted group by 1)
    where {counts}
    group by 1
),
{page}

-- name: page
ranked as (select *, {rank} as rank from total),
page as (select * from ranked where {chosen} order by count desc, value limit $limit offset $offset),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select everything."values", everything.count, page.value, page.count, {visitors}, page.rank
from everything
left join page on true
order by page.count desc, page.value

-- name: counts_and_visitors
-- Grouped by value and visitor, and then by value: hashing twice is several times faster than count(distinct).
with each as (
    select coalesce({column}, '') as value, counted_visitor, count(*) as count from ({source}) as counted group by 1, 2
),
total as (select value, sum(count)::bigint as count, count(*) as visitors from each group by value),
{page}

-- name: pages
-- Views are read once for the sums of all paths, and once for the visitors of those on the page: sums of each visitor are
-- twice the work.
with view as not materialized (
    select
        coalesce(pathname, '') as value, counted_visitor, until_next, {engaged_ms}, {scroll_percent}
    from ({source}) as view
),
total as (
    select
        value, count(*) as count, count(until_next) as timed, coalesce(sum(until_next), 0)::bigint as microseconds,
        count(engaged_ms) as engaged, coalesce(sum(engaged_ms), 0)::bigint as engaged_ms,
        count(scroll_percent) as scrolled, coalesce(sum(scroll_percent), 0)::bigint as scroll_percent
    from view
    group by value
),
page as materialized (
    select * from total where {chosen} order by count desc, value limit $limit offset $offset
),
person as (
    select value, count(*) as visitors
    from (select distinct value, counted_visitor from view where value in (select value from page))
    group by value
),
entered as (
    select
        coalesce(entry_page, '') as value, 1 as entries,
        (pageviews = 1 and custom_events = 0 and outbound_clicks = 0)::bigint as bounces,
        (engaged_pageviews > 0)::bigint as engaged, engaged_ms
    from ({sessions}) as session
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
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
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

-- name: vitals
-- Hits are read once, and only for the classes of measures. Percentiles are nearest ranks; the factors are decimal numbers,
-- for which DuckDB computes ranks in integers.
with measured as materialized (
    select
        coalesce(pathname, '') as pathname, lcp_class as lcp, cls_class as cls, inp_class as inp, fcp_class as fcp,
        ttfb_class as ttfb
    from ({hits}) as hit
),
page as (
    select pathname, count(*) as samples
    from measured
    where {chosen}
    group by pathname
    order by samples desc, pathname
    limit $limit offset $offset
)
select null as pathname, count(*) as samples, {percentiles} from measured having count(*) > 0
union all
select pathname, count(*), {percentiles} from measured where pathname in (select pathname from page) group by pathname

-- name: percentiles
quantile_disc(lcp, [0.5, 0.75, 0.9]) as lcp,
quantile_disc(cls, [0.5, 0.75, 0.9]) as cls,
quantile_disc(inp, [0.5, 0.75, 0.9]) as inp,
quantile_disc(fcp, [0.5, 0.75, 0.9]) as fcp,
quantile_disc(ttfb, [0.5, 0.75, 0.9]) as ttfb

-- name: hits_and_conversions
-- Counts and conversions say which values are on the page. Sessions and visitors are counted for these alone, by hashing, which
-- is several times faster than count(distinct).
with converted as materialized (select distinct session_id from ({converted}) as one),
part as (
    select coalesce(value, '') as value, count, 0 as conversions
    from (select {column} as value, count(*) as count from ({source}) as counted group by 1)
    union all
    select coalesce(value, ''), 0, count(*)
    from (
        select distinct coalesce({column}, '') as value, session_id
        from ({source}) as counted
        where session_id in (select session_id from converted)
    )
    group by value
),
total as (
    select value, sum(count)::bigint as count, sum(conversions)::bigint as conversions from part group by value
),
ranked as (select *, {rank} as rank from total),
page as materialized (
    select * from ranked where {chosen} order by conversions desc, count desc, value limit $limit offset $offset
),
person as (
    select value, counted_visitor, count(*) as sessions
    from (
        select distinct coalesce({column}, '') as value, counted_visitor, session_id
        from ({source}) as counted
        where coalesce({column}, '') in (select value from page)
    )
    group by value, counted_visitor
),
met as (select value, count(*) as visitors, sum(sessions)::bigint as sessions from person group by value),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select
    everything."values", everything.count, page.value, page.count, met.visitors, page.conversions, met.sessions, page.rank
from everything
left join page on true
left join met on met.value = page.value
order by page.conversions desc, page.count desc, page.value

-- name: rank_by_conversions
row_number() over (order by conversions desc, count desc, value)

-- name: rank_by_count
row_number() over (order by count desc, value)

-- name: sessions_and_conversions
-- Each session has one value. Grouped by value and visitor, and then by value: hashing is several times faster than
-- count(distinct).
with converted as materialized (select distinct session_id from ({converted}) as one),
person as (
    select
        coalesce({column}, '') as value, counted_visitor, count(*) as count, count(converted.session_id) as conversions
    from ({source}) as counted
    left join converted using (session_id)
    group by 1, 2
),
total as (
    select
        value, sum(count)::bigint as count, count(*) as visitors, sum(conversions)::bigint as conversions
    from person
    group by value
),
ranked as (select *, {rank} as rank from total),
page as (
    select * from ranked where {chosen} order by conversions desc, count desc, value limit $limit offset $offset
),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select
    everything."values", everything.count, page.value, page.count, page.visitors, page.conversions, page.count,
    page.rank
from everything
left join page on true
order by page.conversions desc, page.count desc, page.value

-- name: sums
-- The few sessions with numbers are found first, and of the others neither values nor hits are kept.
with numbered as materialized (
    select session_id, key, count(number) as numbers, sum(number) as sum
    from (
        select session_id, one.key as key, {properties/number} as number
        from (
            select session_id, unnest(list_filter(properties, lambda one: {properties/among_keys})) as one
            from ({events}) as event
        ) as one
    ) as one
    where number is not null
    group by session_id, key
),
valued as (
    select distinct coalesce({column}, '') as value, session_id
    from ({source}) as counted
    where session_id in (select session_id from numbered)
)
select value, key, sum(numbers)::bigint, sum(sum)::varchar
from valued
join numbered using (session_id)
where {values_among}
group by value, key
