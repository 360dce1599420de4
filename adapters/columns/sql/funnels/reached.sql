-- reached
select
    {step}, false, null, count(*), quantile_disc({later}."at" - {here}."at", 0.5)
from {here}
left join {later} using (who)
