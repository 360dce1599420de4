-- names
-- Messages by their occurrences, with those of the sessions that no file covers; a message occurs in each session of a file
-- once at most in the inner groups.
with part as (
    select error_message as message, session_id, count(*) as count, max(occurred_at) as last_seen
    from ({hits}) as hit
    group by 1, 2
),
counted as (
    select message, sum(count)::bigint as count, count(*) as sessions, max(last_seen) as last_seen from part group by message
    union all
    select one.message, one.count, one.sessions, make_timestamptz(one.last_seen)
    from (
        select unnest(
            from_json($rest, '[{{"message":"VARCHAR","count":"BIGINT","sessions":"BIGINT","last_seen":"BIGINT"}}]')
        ) as one
    )
),
total as (
    select message, sum(count)::bigint as count, sum(sessions)::bigint as sessions, max(last_seen) as last_seen
    from counted
    group by message
),
page as (select * from total where {chosen} order by count desc, message limit $limit offset $offset),
everything as (select count(*) filter (where {chosen}) as messages, coalesce(sum(count), 0)::bigint as count from total)
select everything.messages, everything.count, page.message, page.count, page.sessions, epoch_us(page.last_seen)
from everything
left join page on true
order by page.count desc, page.message
