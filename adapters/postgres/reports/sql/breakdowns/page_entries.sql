-- page_entries
select
    coalesce(entry_page, '') as value, count(*) as entries,
    sum(bounce_of(pageviews, custom_events, outbound_clicks))::bigint as bounces
from selected
where pageviews > 0
group by 1
