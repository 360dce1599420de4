-- hits_inside
hit.site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {projected}
