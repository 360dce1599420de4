-- paints_of_selected
with selected as ({selection/sessions})
select
    width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece,
    percentile_disc(0.75) within group (order by lcp) as paint
from {source}
where lcp is not null
group by 1
