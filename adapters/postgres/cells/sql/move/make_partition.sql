-- make_partition
select hit_partition(%(month)s)
