-- forget_goal_version
with retired as (
    delete from retired_goal_version
    where number = (select min(number) from retired_goal_version)
    returning number, site_id
),
days as (
    delete from conversion_day
    using retired
    where conversion_day.site_id = retired.site_id and conversion_day.number = retired.number
)
delete from conversion_bucket
using retired
where conversion_bucket.site_id = retired.site_id and conversion_bucket.number = retired.number
