-- vitals_by_rows
with selected as ({selection/sessions}), {owners},
measured as (
    select coalesce(pathname, '') as pathname, lcp, cls, inp, fcp, ttfb
    from {source}
),
page as (
    select pathname, count(*) as samples from measured where {chosen} group by pathname
    order by samples desc, pathname collate "C" limit %(limit)s offset %(offset)s
)
select null as pathname, count(*) as samples, {percentiles} from measured having count(*) > 0
union all
select pathname, count(*) as samples, {percentiles}
from measured
where pathname in (select pathname from page)
group by pathname
