-- percentiles
quantile_disc(lcp, [0.5, 0.75, 0.9]) as lcp,
quantile_disc(cls, [0.5, 0.75, 0.9]) as cls,
quantile_disc(inp, [0.5, 0.75, 0.9]) as inp,
quantile_disc(fcp, [0.5, 0.75, 0.9]) as fcp,
quantile_disc(ttfb, [0.5, 0.75, 0.9]) as ttfb
