"""The questions how fast pages are, in SQL."""

from footfall.adapters.postgres.share_queries import GAPS, HITS_IN_GAPS, OWNERS, hits_of
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
BY_DAYS = f"""
    with {GAPS}
    measured as materialized (
        select coalesce(pathname, '') as pathname, lcp, cls, inp, fcp, ttfb
        from {HITS_IN_GAPS}
        where {_OF_KIND}
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
    occurring as (
        select place, unnest(classes) as class, unnest(counts) as count
        from day_vitals
        join page on page.pathname = day_vitals.pathname and md5(page.pathname)::uuid = md5(day_vitals.pathname)::uuid
        where site_id = %(site_id)s and day = any(%(days)s::timestamptz[])
        union all
        select 0, unnest(classes), unnest(counts)
        from day_vitals
        where site_id = %(site_id)s and day = any(%(days)s::timestamptz[]) and md5(day_vitals.pathname)::uuid is null
        union all
        select place, class, count from single where place is not null
        union all
        select 0, class, count from single
    ),
    counted as (
        select place * 131072 + class as number, sum(count) as count from occurring group by 1
    ),
    ranked as (
        select
            number, number / 16384 as series,
            sum(count) over (partition by number / 16384 order by number) as up_to,
            sum(count) over (partition by number / 16384) as in_all
        from counted
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
