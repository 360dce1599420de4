-- forget_conversions
delete from conversion
where ctid = any(array(
    select conversion.ctid
    from (select * from retired_goal_version order by number limit 1) as retired
    join conversion on conversion.site_id = retired.site_id and conversion.number = retired.number
    limit %(size)s
))
