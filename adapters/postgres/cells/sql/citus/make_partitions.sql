-- make_partitions
-- Of this month and the next ones: only the coordinator can make them, and it may be away when one is needed.
select hit_partition(now() + months * interval '1 month') from generate_series(0, %(ahead)s) as months
