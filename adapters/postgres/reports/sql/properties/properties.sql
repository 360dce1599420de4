-- properties
with {selection/selected}, {breakdowns/owners}, {event},
counted as materialized ({keys}),
page as (select * from counted where {chosen} order by count desc, key collate "C" limit %(limit)s offset %(offset)s),
everything as (select count(*) as total from counted where {chosen})
select * from everything left join page on true order by count desc, key collate "C"
