-- high_water_mark
select hit_high_water_mark() as position
