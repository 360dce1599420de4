-- forget_goal_version
with retired as (
    delete from retired_goal_version
    where number = (select min(number) from retired_goal_version)
    returning number, site_id
)
delete from conversion_bucket
using retired
where conversion_bucket.site_id = retired.site_id and conversion_bucket.number = retired.number
