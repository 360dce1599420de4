-- url
coalesce(properties ->> 'url', '')
