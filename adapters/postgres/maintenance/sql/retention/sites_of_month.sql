-- sites_of_month
with recursive present as (
    (select site_id from {month} order by site_id limit 1)
    union all
    select (select site_id from {month} where site_id > present.site_id order by site_id limit 1)
    from present
    where present.site_id is not null
)
select site_id
from present
where site_id is not null
