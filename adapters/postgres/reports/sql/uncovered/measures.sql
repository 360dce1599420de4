-- measures
with {sessions}, {breakdowns/owners}
select json_build_object(
    'pathname', coalesce(json_agg(coalesce(pathname, '')), '[]'),
    'lcp', coalesce(json_agg(measure_class(lcp)), '[]'), 'cls', coalesce(json_agg(measure_class(cls)), '[]'),
    'inp', coalesce(json_agg(measure_class(inp)), '[]'), 'fcp', coalesce(json_agg(measure_class(fcp)), '[]'),
    'ttfb', coalesce(json_agg(measure_class(ttfb)), '[]')
)::text as rest
from {those}
