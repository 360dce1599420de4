"""The questions how fast pages are, in SQL."""

from footfall.adapters.postgres.share_queries import GAPS, OWNERS, hits_in_gaps, hits_of
from footfall.domain.vitals import METRICS

_OF_KIND = "hit.type = 'performance'"
_PERCENTILES = ", ".join(
    f"percentile_disc(array[0.5, 0.75, 0.9]) within group (order by {name}) as {name}" for name in METRICS
)
_OF_ROWS = """
    measured as (
        select coalesce(pathname, '') as pathname, lcp, cls, inp, fcp, ttfb
        from {source}
    ),
    page as (
        select pathname, count(*) as samples from measured group by pathname
        order by samples desc, pathname collate "C" limit %(limit)s offset %(offset)s
    )
    select null as pathname, count(*) as samples, {percentiles} from measured having count(*) > 0
    union all
    select pathname, count(*) as samples, {percentiles}
    from measured
    where pathname in (select pathname from page)
    group by pathname
"""

# Pages are put in order by their samples; only of those on the page is anything more looked at. Page 0 is all of them.
# What is counted has one number for page, metric and class, which is added up several times faster than three columns.
# Counts of pages with many classes are added up as digits, see 0015_vitals_as_digits.sql. Doubles hold sums of counts
# exactly, and add up faster than the decimal numbers that sums of bigint are. Percentiles are looked for among groups
# of 16 classes, and then only in those groups where they are: most classes need not be put in order.
BY_DAYS = f"""
    with {GAPS}
    measured as materialized (
        select coalesce(pathname, '') as pathname, lcp, cls, inp, fcp, ttfb
        from {hits_in_gaps(_OF_KIND)}
    ),
    sampled as materialized (
        select pathname, sum(count)::bigint as samples
        from (
            select value as pathname, count
            from day_share
            where site_id = %(site_id)s and dimension = 'measured' and day = any(%(days)s::timestamptz[])
            union all
            select pathname, count(*) from measured group by pathname
        ) as part
        group by pathname
    ),
    page as materialized (
        select row_number() over (order by samples desc, pathname collate "C") as place, pathname, samples
        from sampled
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
        from day_vitals
        join page on page.pathname = day_vitals.pathname and md5(page.pathname)::uuid = md5(day_vitals.pathname)::uuid
        where site_id = %(site_id)s and day = any(%(days)s::timestamptz[])
        union all
        select 0, classes, counts, lcp, cls, inp, fcp, ttfb
        from day_vitals
        where site_id = %(site_id)s and day = any(%(days)s::timestamptz[]) and md5(day_vitals.pathname)::uuid is null
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
"""


def vitals_by_rows(*, filtered: bool) -> str:
    """Return what follows on the common table expression `selected`."""
    owners = OWNERS if filtered else ""
    return owners + _OF_ROWS.format(source=hits_of(_OF_KIND, filtered=filtered), percentiles=_PERCENTILES)
