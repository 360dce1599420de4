-- Cohorts of visitors, from files.

-- name: counts
-- How many visitors of each cohort have a visit, or conversion, in the part of time of the cohort (after 0), and in each later
-- one. The parts of a visitor are bits of one number: rows of a visitor and a part, that are joined with first visits, would
-- take twice the time, and more memory.
with visitor as (
    select
        who, min("at") as "at",
        bit_or(case when "at" >= $parts_since then 1::hugeint << ({part_of_time})::integer end) as parts{first_session}
    from ({occasions}) as occasion
    where "at" < $until
    group by who
),
member as (
    select cohort, (parts >> cohort & {followed})::bigint as parts
    from (
        select ({part_of_time})::integer as cohort, parts
        from visitor
        where "at" >= $first_since and "at" < $first_before and {chosen}
    ) as placed
),
alike as (
    select cohort, parts, count(*) as visitors from member group by cohort, parts
)
select cohort, after, sum(visitors)::bigint as visitors
from alike
cross join (select unnest(range($latest + 1))::integer as after) as afters
where parts >> after & 1 = 1
group by cohort, after

-- name: followed
((1::hugeint << ($latest + 1)) - 1)

-- name: first_session
-- By which filters choose the visitor.
, {session_of_first}

-- name: session_of_first
arg_min(session_id, epoch_us("at")::hugeint * 9223372036854775808 + number) as session_id

-- name: firsts
-- The sessions in which visitors came first, or converted first, in a span of time.
select session_id
from (
    select who, min("at") as "at", {session_of_first}
    from ({occasions}) as occasion
    where "at" < $first_before
    group by who
) as visitor
where "at" >= $first_since

-- name: visits
select counted_visitor as who, started_at as "at", session_id, session_id as number
from ({sessions}) as session

-- name: conversions
select counted_visitor as who, occurred_at as "at", session_id, position as number
from ({hits}) as hit

-- name: chosen
session_id in (select session_id from ({sessions}) as session)

-- name: every
true

