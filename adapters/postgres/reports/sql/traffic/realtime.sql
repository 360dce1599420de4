-- realtime
select count(distinct visitor_id) as visitors, count(*) filter (where type = 'pageview') as pageviews
from hit
where site_id = %(site_id)s and occurred_at > %(after)s and occurred_at <= %(now)s and {selection/projected}
