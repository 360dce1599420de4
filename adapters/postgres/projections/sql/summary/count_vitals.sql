-- count_vitals
insert into counted_vitals (site_id, day, pathname, classes, counts, lcp, cls, inp, fcp, ttfb)
select
    %(site_id)s, %(day)s, pathname, classes, counts,
    case when many then counts_as_digits(classes, counts, 0) end,
    case when many then counts_as_digits(classes, counts, 1) end,
    case when many then counts_as_digits(classes, counts, 2) end,
    case when many then counts_as_digits(classes, counts, 3) end,
    case when many then counts_as_digits(classes, counts, 4) end
from (
    select
        pathname, array_agg(class order by class) as classes, array_agg(count order by class) as counts,
        count(*) >= %(many)s as many
    from (
        select pathname, class, count(*)::integer as count
        from (
            select coalesce(pathname, '') as pathname, unnest(array[
                measure_class(lcp), 16384 + measure_class(cls), 32768 + measure_class(inp), 49152 + measure_class(fcp),
                65536 + measure_class(ttfb)
            ]) as class
            from hit
            where site_id = %(site_id)s
                and occurred_at >= %(day)s and occurred_at < %(day)s::timestamptz + interval '24 hours'
                and type = 'performance'
                and position + 0 <= (select position from projection_checkpoint where name = 'reports')
        ) as measured
        where class is not null
        group by grouping sets ((pathname, class), (class))
    ) as occurring
    group by pathname
) as counted
