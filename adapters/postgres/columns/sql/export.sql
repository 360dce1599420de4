-- Rows of a day as they are copied out for files.

-- name: copy
copy ({query}) to stdout (format csv, header true)

-- name: begin
set transaction isolation level repeatable read, read only

-- name: are_current
-- A deleted site has none, once the versions of the set in use are revoked: those of the next set may still be there.
select
    count(*) = cardinality(%(days)s::timestamptz[])
    and exists (select from projection_checkpoint where name = 'reports' and sessions = 2) as current
from unnest(%(days)s::timestamptz[], %(versions)s::uuid[]) as asked (day, version)
join column_day using (day, version)
where site_id = %(site_id)s and state = 'closed' and store = column_store()
    and not exists (select from erasure where deleted_site = %(site_id)s and round > 0)

-- name: span
-- views: kept
select min(started_at) as start, max(ended_at) as end from kept

-- name: kept
select *
from session
where site_id = %(site_id)s
    and started_at >= %(first)s::timestamptz and started_at < %(last)s::timestamptz + interval '24 hours'
    and day_of(started_at) = any(%(days)s::timestamptz[])
    and session_id not in (
        select session_id from column_change where site_id = %(site_id)s and day = any(%(days)s::timestamptz[])
    )

-- name: columns_of_hit
position, hit.visitor_id, occurred_at, type, pathname, page_title, event_name, querystring, release, screen_width,
lcp, cls, inp, fcp, ttfb,
{classes},
case when type = 'outbound' then properties ->> 'url' end as url,
case when type = 'error' then message_of(properties) end as error_message,
properties::text as properties_json,
case when type in ('pageview', 'custom_event') and properties is not null then (
    select {properties}
    from (
        select
            key, jsonb_typeof(value) as kind,
            case when jsonb_typeof(value) in ('string', 'number', 'boolean') then value #>> '{{}}' end as text,
            decimal_of(value) as decimal
        from jsonb_each(properties)
    ) as property
) end as properties,
case when pageview_key is not null then {measures} end as measures

-- name: list_of_properties
-- As the text of a list of DuckDB, which `copy` there reads.
'[' || string_agg(
    concat(
        '{{key: ', coalesce('"' || replace(replace(key, '\', '\\'), '"', '\"') || '"', 'NULL'),
        ', kind: "', kind,
        '", text: ', coalesce('"' || replace(replace(text, '\', '\\'), '"', '\"') || '"', 'NULL'),
        ', decimal: ', coalesce('"' || replace(replace(decimal, '\', '\\'), '"', '\"') || '"', 'NULL'), '}}'
    ),
    ', '
) || ']'

-- name: measure_class
-- As `measure_class` in domain/traffic/web_vitals.py has it. Ten-thousandths of the largest measure, and the widest step, are whole
-- numbers of a double.
case when type = 'performance' then (
    {classes} * width_bucket({measure}, {limits}::float8[]) + ceil(
        (
            round(least({measure}, {largest}) * {resolution})
            + (round(least({measure}, {largest}) * {resolution}) / {resolution} < least({measure}, {largest}))::integer
        ) / ({widths}::float8[])[width_bucket({measure}, {limits}::float8[]) + 1]
    )
)::smallint end as {column}

-- name: measures_of_page
-- What was reported of the page of a hit, up to MOST_MEASURES and within MATCHING_SPAN of domain/tracking/engagement.py. Of most hits
-- nothing can be reported: to look for it takes as long as all else.
select {sums}
from (
    select measure.position, engaged_ms, scroll_percent
    from engagement as measure
    where measure.site_id = hit.site_id and measure.pageview_key = hit.pageview_key
        and measure.received_at >= hit.received_at - interval '7 days'
        and measure.received_at <= hit.received_at + interval '7 days'
        and measure.position
            <= coalesce(%(measured_up_to)s::bigint, (select position from projection_checkpoint where name = 'reports'))
    order by measure.position
    limit 500
) as measure
where hit.pageview_key is not null

-- name: with_engagement
-- The hits of `measurable`, each with what is known of its page. PostgreSQL does not compute the columns that a statement leaves out.
select hit.*, measured.list_of_measures, measured.engaged_ms, measured.scroll_percent
from measurable as hit
left join lateral ({measures_of_page}) as measured on true

-- name: json_of_measures
-- Each with its position, so that an earlier state can be told, in any order.
json_agg(json_build_array(position, engaged_ms, scroll_percent))

-- name: sums
-- The same as the text of a list of DuckDB, and the greatest of them.
'[' || string_agg(
    concat(
        '{{position: ', position, ', engaged_ms: ', coalesce(engaged_ms::text, 'NULL'), ', scroll_percent: ',
        coalesce(scroll_percent::text, 'NULL'), '}}'
    ),
    ', '
) || ']' as list_of_measures,
max(engaged_ms) as engaged_ms, max(scroll_percent) as scroll_percent

-- name: hits
-- Hits stored since the checkpoint have no sessions yet.
select {columns}
from hit
where site_id = %(site_id)s and occurred_at >= %(start)s::timestamptz and occurred_at <= %(end)s::timestamptz
    and position + 0 <= (select position from projection_checkpoint where name = 'reports')

-- name: owners
-- A hit lies within its session, which lasts a day at most: no other session can own a hit of the span.
select session_id, visitor_id, started_at
from session
where site_id = %(site_id)s
    and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at <= %(end)s::timestamptz

-- name: sessions
-- views: kept
select
    session_id, visitor_id, signed_visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    {attributes}
from kept
