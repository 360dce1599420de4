-- make_partition
select hit_partition(make_timestamptz(%(year)s, %(month)s, 1, 0, 0, 0))
