-- sessions_in_gaps
select coalesce(sum(sessions), 0)::bigint as sessions
from unnest(%(gap_starts)s::timestamptz[], %(gap_ends)s::timestamptz[]) as gap ("from", "to")
join traffic_bucket on bucket >= gap."from" and bucket < gap."to"
where site_id = %(site_id)s
