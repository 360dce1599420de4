-- The making of files: rows of PostgreSQL are read, placed on quarters of an hour and written in order.

-- name: types
-- In the order of their names, which is that of the hits in a file.
create type hit_type as enum (select unnest($types))

-- name: places
-- A hit belongs to its visitor's latest session that starts at or before its time. Found with few columns: those of
-- whole hits would be copied by each step, which took half of the time of all making. Only the time on pages is reported.
create table places as
select
    position, session_id,
    case when type = 'pageview' then
        (lead(occurred_at) over (partition by session_id order by occurred_at, position) - occurred_at)::integer
    end as until_next
from (
    select hits.position, epoch_us(hits.occurred_at) as occurred_at, hits.type, owners.session_id
    from (select position, visitor_id, occurred_at, type from hits) as hits
    asof join owners on hits.visitor_id = owners.visitor_id and hits.occurred_at >= owners.started_at
) as placed
semi join sessions using (session_id)

-- name: placed
select session_id, until_next, hits.*
from hits
join places using (position)
order by type, session_id, position

-- name: lost_hits
-- The sessions know how many hits they have.
select
    (select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0) from sessions)
    - (select count(*) from hits)

-- name: sessions
select session.*, quarters, quarter_pageviews, quarter_custom_events, engaged_ms, engaged_pageviews
from sessions as session
left join touched using (session_id)
left join engaged using (session_id)

-- name: engaged
-- What is known of the pages of a session: the time, and of how many of its pageviews it is.
select session_id, sum(engaged_ms)::bigint as engaged_ms, count(engaged_ms)::integer as engaged_pageviews
from pages
where engaged_ms is not null
group by session_id

-- name: touched
-- What sessions that touch several quarters of an hour have in each.
select
    session_id, [one.quarter for one in rows_of_session] as quarters,
    [one.pageviews for one in rows_of_session] as quarter_pageviews,
    [one.custom_events for one in rows_of_session] as quarter_custom_events
from (
    select
        session_id, list_sort(list({quarter: quarter, pageviews: pageviews, custom_events: custom_events})) as rows_of_session
    from (
        select
            session_id, time_bucket(interval '15 minutes', occurred_at) as quarter,
            (count(*) filter (where type = 'pageview'))::integer as pageviews,
            (count(*) filter (where type = 'custom_event'))::integer as custom_events
        from hits
        semi join (
            select session_id
            from sessions
            where time_bucket(interval '15 minutes', started_at) < time_bucket(interval '15 minutes', ended_at)
        ) as longer using (session_id)
        group by all
    )
    group by session_id
)

-- name: sessions_in_order
select * from made order by started_at, session_id

-- name: hits_in_order
select * from made order by type, session_id, position

-- name: counts
-- In the order of the columns of the table, which is that of the names.
select count(distinct columns($names))
from sessions

-- name: enumerate
create type {attribute}_values as enum (select distinct {attribute} from sessions where {attribute} is not null);
alter table sessions alter {attribute} type {attribute}_values

-- name: read
-- All types are given, and nothing is guessed: a null is an empty field, a quoted empty field is an empty text.
create or replace temp table {table} as
select *
from read_csv(
    $path, columns = $columns, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\n',
    nullstr = '', allow_quoted_nulls = false, strict_mode = true, max_line_size = $longest, buffer_size = $buffer
)

-- name: copy
-- Groups of rows are left out whose type or time a report does not ask for; smaller ones take more space, and hold fewer of
-- the values of a column that repeat, by whose numbers reports group rows. Bloom filters would take 0.9 bytes a hit.
copy ({query}) to $target (
    format parquet, parquet_version v2, compression zstd, compression_level 6, row_group_size 81920,
    write_bloom_filter false
)

-- name: hits
-- Reports ask for hits of one type: these stand together, and those of one session among them: in this order what is repeated
-- takes next to no space. The attributes of sessions come after it, so that they need not be put in order. Only of pageviews is
-- the time up to the next hit asked for. Types are put in order by their numbers and written as texts: of a column of numbered
-- values, groups of rows would tell a least and a greatest one that they may not hold.
select
    hit.session_id, position, hit.visitor_id, session.signed_visitor_id, occurred_at,
    case when type = 'pageview' then until_next end as until_next,
    type::varchar as type, pathname, page_title, event_name, querystring, release, screen_width, lcp, cls, inp, fcp, ttfb,
    lcp_class, cls_class, inp_class, fcp_class, ttfb_class, url, error_message, properties_json,
    from_json(
        properties, '[{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}]'
    ) as properties, measures, most_engaged(measures) as engaged_ms, most_scrolled(measures) as scroll_percent,
    session.* exclude (session_id, signed_visitor_id)
from (select * replace (reported(measures) as measures) from placed) as hit
join attributes as session on session.session_id = hit.session_id
