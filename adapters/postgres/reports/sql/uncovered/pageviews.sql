-- pageviews
hit.type = 'pageview'
