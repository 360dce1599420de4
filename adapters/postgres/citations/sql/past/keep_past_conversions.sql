-- keep_past_conversions
insert into past_conversion select * from conversion
