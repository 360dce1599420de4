-- Conditions and sources that reports on files share.

-- name: written
-- Each query string is taken apart once: a condition that needs their counts is not moved to the hits. Out of a materialized
-- part they would come one by one, which takes four times as long.
select querystring, count(*) as hits from pageviews group by querystring

-- name: select
-- The rows of a relation for which a condition holds, or what is computed of them.
select {columns} from {source} where {conditions}

-- name: ids
select session_id from chosen

-- name: spanning
-- Consecutive hits of a session are at most 30 minutes apart: one that spans a period of 30 minutes or more has hits in it.
started_at < $end and ended_at >= $start

-- name: inside
occurred_at >= $start and occurred_at < $end

-- name: with_hits_inside
session_id in (select session_id from hit where occurred_at >= $start and occurred_at < $end)

-- name: near_period
-- The hits of a session in the period lie at most 24 hours around it.
occurred_at >= $start - interval '24 hours' and occurred_at < $end + interval '24 hours'

-- name: hits_of_session
(pageviews + custom_events + performance_measures + outbound_clicks + errors)::varchar

-- name: paths
select distinct pathname from hits where pathname is not null

-- name: grouped
select source.* replace (coalesce(grouped.name, source.{column}) as {column})
from source
left join grouped on grouped.path = source.{column}

-- name: every_value
select *, true as is_chosen from total

-- name: values_among
select *, value in (select unnest(from_json($among, '["VARCHAR"]'))) as is_chosen from total

-- name: values_containing
select *, contains_text(value, $folded, $containing) as is_chosen from total
