-- vitals
-- Hits are read once, and only for the classes of measures. Percentiles are nearest ranks; the factors are decimal numbers,
-- for which DuckDB computes ranks in integers.
with measured as materialized (
    select
        coalesce(pathname, '') as pathname, lcp_class as lcp, cls_class as cls, inp_class as inp, fcp_class as fcp,
        ttfb_class as ttfb
    from ({hits}) as hit
),
page as (
    select pathname, count(*) as samples
    from measured
    where {chosen}
    group by pathname
    order by samples desc, pathname
    limit $limit offset $offset
)
select null as pathname, count(*) as samples, {percentiles} from measured having count(*) > 0
union all
select pathname, count(*), {percentiles} from measured where pathname in (select pathname from page) group by pathname
