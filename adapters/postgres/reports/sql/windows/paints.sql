-- paints
select
    width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece,
    percentile_disc(0.75) within group (order by lcp) as paint
from hit
where {selection/hits_inside} and hit.type = 'performance' and lcp is not null
group by 1
