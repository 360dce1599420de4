-- Cohorts of visitors, from files.

-- name: visitor
-- The parts of time of a visitor are bits of one number: rows of a visitor and a part, that are joined with first visits, would
-- take twice the time, and more memory. By the session of the first occasion filters choose the visitor.
select
    who, min("at") as "at", min(part)::integer as cohort,
    bit_or(case when "at" >= $parts_since then 1::hugeint << part::integer end) as parts,
    arg_min(session_id, key_of("at", number)) as session_id
from occasion
where "at" < $until
group by who

-- name: every
select * from visitor

-- name: chosen
select * from visitor where session_id in (select session_id from sessions)

-- name: counts
-- How many visitors of each cohort have a visit, or conversion, in the part of time of the cohort (after 0), and in each later
-- one.
with member as (
    select cohort, (parts >> cohort & ((1::hugeint << ($latest + 1)) - 1))::bigint as parts
    from chosen
    where "at" >= $first_since and "at" < $first_before
),
alike as (
    select cohort, parts, count(*) as visitors from member group by cohort, parts
)
select cohort, after, sum(visitors)::bigint as visitors
from alike
cross join (select unnest(range($latest + 1))::integer as after) as afters
where parts >> after & 1 = 1
group by cohort, after

-- name: firsts
-- The sessions in which visitors came first, or converted first, in a span of time.
select session_id
from (
    select min("at") as "at", arg_min(session_id, key_of("at", number)) as session_id
    from occasion
    where "at" < $first_before
    group by who
) as visitor
where "at" >= $first_since

-- name: visits
select counted_visitor as who, started_at as "at", session_id, session_id as number from sessions

-- name: conversions
select counted_visitor as who, occurred_at as "at", session_id, position as number from hits
