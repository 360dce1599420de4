-- rank_by_conversions
row_number() over (order by conversions desc, count desc, value collate "C")
