-- percentiles
percentile_disc(array[0.5, 0.75, 0.9]) within group (order by lcp) as lcp,
percentile_disc(array[0.5, 0.75, 0.9]) within group (order by cls) as cls,
percentile_disc(array[0.5, 0.75, 0.9]) within group (order by inp) as inp,
percentile_disc(array[0.5, 0.75, 0.9]) within group (order by fcp) as fcp,
percentile_disc(array[0.5, 0.75, 0.9]) within group (order by ttfb) as ttfb
