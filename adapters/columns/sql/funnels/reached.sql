-- reached
select
    {step}, false, null, count(*),
    quantile_disc(
        ({later}.key // 9223372036854775808)::bigint - ({here}.key // 9223372036854775808)::bigint, 0.5
    )
from {here}
left join {later} using (who)
