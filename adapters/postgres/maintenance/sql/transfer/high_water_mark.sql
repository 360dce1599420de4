-- high_water_mark
select hit_high_water_mark() as high_water_mark
