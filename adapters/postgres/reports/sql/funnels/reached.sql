-- reached
select
    {step}::integer as step, null::text as path, count(*) as count,
    percentile_disc(0.5) within group (order by {later}.occurred_at - {here}.occurred_at) as median
from {here}
left join {later} using (who)
