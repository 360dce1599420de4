-- is_aside
-- Whether a hit is put aside: after the position, unless it is an arrival, which counts nevertheless.
(position > %(traffic)s and not (position <= %(last)s and {arrivals/origin} = any(%(origins)s::text[])))
