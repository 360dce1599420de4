-- keep_past
-- What has been folded so far is the past; the later hits come next. Those that lie before the last arrival are remembered.
with kept as (
    insert into past_session select * from session
),
remembered as (
    insert into aside select position from later_slice where position <= %(last)s
)
insert into past_conversion select * from conversion
