-- vitals_by_days
-- Pages are ordered by their samples; only pages of the answer are examined further. Page 0 is all of them. One number
-- stands for page, metric and class: it adds up several times faster than three columns. Counts of pages with many
-- classes are added up as digits, see counts_as_digits(). Doubles hold sums of counts exactly, and add up faster than the
-- decimal numbers that sums of bigint are. Percentiles are looked for among groups of 16 classes, and then only in the
-- groups that hold them: most classes need not be sorted.
with {gaps},
measured as materialized (
    select coalesce(pathname, '') as pathname, lcp, cls, inp, fcp, ttfb
    from {hits_in_gaps}
),
sampled as materialized (
    select pathname, sum(count)::bigint as samples
    from (
        select value as pathname, count
        from breakdown_day
        where site_id = %(site_id)s and dimension = 'measured' and day = any(%(days)s::timestamptz[])
        union all
        select pathname, count(*) from measured group by pathname
    ) as part
    group by pathname
),
page as materialized (
    select row_number() over (order by samples desc, pathname collate "C") as place, pathname, samples
    from sampled
    where {chosen}
    order by samples desc, pathname collate "C"
    limit %(limit)s offset %(offset)s
),
single as materialized (
    select place, class, count(*) as count
    from (
        select pathname, unnest(array[
            measure_class(lcp), 16384 + measure_class(cls), 32768 + measure_class(inp), 49152 + measure_class(fcp),
            65536 + measure_class(ttfb)
        ]) as class
        from measured
    ) as taken
    left join page using (pathname)
    where class is not null
    group by place, class
),
summary as materialized (
    select place, classes, counts, lcp, cls, inp, fcp, ttfb
    from vitals_day
    join page on page.pathname = vitals_day.pathname and md5(page.pathname)::uuid = md5(vitals_day.pathname)::uuid
    where site_id = %(site_id)s and day = any(%(days)s::timestamptz[])
    union all
    select 0, classes, counts, lcp, cls, inp, fcp, ttfb
    from vitals_day
    where site_id = %(site_id)s and day = any(%(days)s::timestamptz[]) and md5(vitals_day.pathname)::uuid is null
),
digits as materialized (
    select place, metric, convert_to(total::text, 'UTF8') as digits
    from (
        select place, sum(lcp) as lcp, sum(cls) as cls, sum(inp) as inp, sum(fcp) as fcp, sum(ttfb) as ttfb
        from summary
        where lcp is not null
        group by place
    ) as sums
    cross join lateral (values (0, lcp), (1, cls), (2, inp), (3, fcp), (4, ttfb)) as one (metric, total)
    where total > 0
),
occurring as (
    select place, unnest(classes) as class, unnest(counts) as count from summary where lcp is null
    union all
    select
        place, metric * 16384 + class_of_ordinal(ordinal),
        encode(substr(digits, length(digits) - 12 * ordinal - 11, 12), 'escape')::bigint
    from digits
    cross join lateral generate_series(
        (length(digits) - length(rtrim(digits, '0'::bytea))) / 12, (length(digits) - 1) / 12
    ) as ordinal
    union all
    select place, class, count from single where place is not null
    union all
    select 0, class, count from single
),
counted as materialized (
    select place * 131072 + class as number, sum(count::float8) as count from occurring group by 1
),
coarse as (
    select number / 16 as coarse, sum(count) as count from counted group by 1
),
reached as materialized (
    select
        coarse, count,
        sum(count) over (partition by coarse / 1024 order by coarse) as up_to,
        sum(count) over (partition by coarse / 1024) as in_all
    from coarse
),
ranked as (
    select
        number, number / 16384 as series, in_all,
        reached.up_to - reached.count + sum(counted.count) over (partition by coarse order by number) as up_to
    from reached
    join counted on number / 16 = coarse
    where 2 * up_to >= in_all and 2 * (up_to - reached.count) < in_all
        or 4 * up_to >= 3 * in_all and 4 * (up_to - reached.count) < 3 * in_all
        or 10 * up_to >= 9 * in_all and 10 * (up_to - reached.count) < 9 * in_all
),
percentiles as (
    select
        series / 8 as place, series %% 8 as metric,
        min(number) filter (where 2 * up_to >= in_all) %% 16384 as p50,
        min(number) filter (where 4 * up_to >= 3 * in_all) %% 16384 as p75,
        min(number) filter (where 10 * up_to >= 9 * in_all) %% 16384 as p90
    from ranked
    group by series
)
select pathname, samples, metric, p50, p75, p90
from (
    select place, pathname, samples from page
    union all
    select 0, null, sum(samples)::bigint from sampled having sum(samples) > 0
) as asked
left join percentiles using (place)
