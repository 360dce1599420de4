-- pageviews
select coalesce(pathname, '') as pathname, count(*) as pageviews
from hit
where site_id = %(site_id)s and import_id = %(import_id)s and type = 'pageview'
    and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
group by 1
