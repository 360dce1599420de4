-- views_of_pages
hit.type = 'pageview' and coalesce(hit.pathname, '') = any(%(pages)s::text[])
