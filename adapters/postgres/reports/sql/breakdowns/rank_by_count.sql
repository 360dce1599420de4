-- rank_by_count
row_number() over (order by count desc, value collate "C")
