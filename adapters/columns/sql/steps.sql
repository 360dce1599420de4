-- The steps of a funnel, of which there are as many parts of a query as steps.

-- name: step_hit
-- The hits that match a step, and who takes it: a session, or a visitor.
select *
from (
    select
        session_id, counted_visitor, {who} as who, epoch_us(occurred_at) as "at", key_of(occurred_at, position) as key, {flags}
    from hits
) as hit
where {any_flag}

-- name: first
select 0 as step, who, min(key) as key, min("at") as "at", null::bigint as since, min("at") as entered_at
from step_hit
where step_0
group by who

-- name: next
-- `since` is when the step before it was taken.
select
    {step} as step, who, min(hit.key) as key, min(hit."at") as "at", any_value(before."at") as since,
    any_value(entered_at) as entered_at
from taken_{before} as before
join step_hit as hit using (who)
where hit.step_{step} and hit.key > before.key and ({within} is null or hit."at" <= entered_at + {within})
group by who

-- name: ended_before
select who from here anti join later using (who)

-- name: ended_last
select who from here
