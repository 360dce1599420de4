-- microseconds
(extract(epoch from {instant}) * 1000000)::bigint
