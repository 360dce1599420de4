-- Tables in memory of the rows that no file holds yet, and relations over them and over files.

-- name: begin_table
{create} {table} ({columns})

-- name: fill
-- The table has the types: a query over the same file takes twice as long to plan. A null is an empty field, a quoted empty field
-- is an empty text.
copy {table} from {path} (
    format csv, header true, auto_detect false, delim ',', quote '"', escape '"', new_line '\n', nullstr '',
    allow_quoted_nulls false, strict_mode true, max_line_size {longest}, buffer_size {buffer}
)

-- name: hits_of_sessions
select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0)::bigint from sessions

-- name: compact
-- Removed rows keep their memory until their table goes.
create or replace table {name}_session as
select * from {name}_session;

create or replace table {name}_hit as
select * from {name}_hit

-- name: add_left_out
insert into {table}
select {number}, session_id
from ({sessions}) as of_rules

-- name: of_file_alone
-- An attribute that is newer than the file is unknown.
(
    select * from {rows} where false
    union all by name
    select * from read_parquet({file})
) as {relation}

-- name: drop_table
drop table if exists {table}

-- name: left_out_of
union all
select session_id from {table} where file in ({numbers})

-- name: kept
anti join left_out using (session_id)

-- name: temporary
create or replace temp table {table} as
{rows}

-- name: listed
-- As a table: DuckDB takes longer to plan a list of a hundred constants than to answer most reports.
select unnest($session_ids::bigint[]) as session_id

-- name: listed_days
select unnest($days::timestamptz[]) as day

-- name: relation
-- A part of queries, and no view: making one takes two milliseconds, more than some queries. Of the columns only those that the
-- query names: to plan all of them took a third of the time of reports on small sites. Reports count a signed user once, on
-- whichever browsers.
(
    select {columns}, coalesce(signed_visitor_id, visitor_id) as counted_visitor
    from (
        select {columns} from {rows}
        {kept}
        {before}
        {of_files}
        {earlier}
    ) as of_visitors
) as {relation}

-- name: with_attributes
-- They stand in the sessions alone: DuckDB took as long to read them into the table of the hits as all other columns.
{hits}
join (select session_id, {attributes} from {sessions}) as own using (session_id)

-- name: changed
union all
select session_id from changed

-- name: stale
-- The files hold no session of a day that was closed anew as it is.
union all
select session_id from read_parquet({files}) where date_trunc('day', started_at) in (select day from stale_day)

-- name: before
-- Later hits were put aside, with the sessions that they changed.
anti join replaced using (session_id)
where {time} < '{until}'::timestamptz

-- name: of_files
-- An attribute that is newer than a file is unknown in it.
union all by name
select *
from read_parquet({files}, union_by_name = true)
anti join (
    -- Files hold what does not count of these sessions.
    select session_id from {name}_session
    {changed}
    {stale}
    {left_out}
) as hidden using (session_id)
{before}

-- name: earlier
union all by name
select {columns} from {rows}
{kept}
