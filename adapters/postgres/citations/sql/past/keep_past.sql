-- keep_past
-- What has been folded is the past. The later hits that lie before the last arrival are remembered.
with kept as (
    insert into past_session select * from session
),
remembered as (
    insert into aside select position from later_hit where position <= %(last)s
)
insert into past_conversion select * from conversion
