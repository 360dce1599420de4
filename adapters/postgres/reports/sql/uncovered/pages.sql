-- pages
with {sessions}, {breakdowns/owners}, {breakdowns/placed_hits}
select json_build_object(
    'views', (
        select json_build_object(
            'value', coalesce(json_agg(value), '[]'), 'visitor', coalesce(json_agg(visitor_id), '[]'),
            'count', coalesce(json_agg(views), '[]'), 'timed', coalesce(json_agg(timed), '[]'),
            'microseconds', coalesce(json_agg(microseconds), '[]')
        )
        from ({breakdowns/page_views}) as viewed
    ),
    'entries', (
        select json_build_object(
            'value', coalesce(json_agg(value), '[]'), 'entries', coalesce(json_agg(entries), '[]'),
            'bounces', coalesce(json_agg(bounces), '[]')
        )
        from ({breakdowns/page_entries}) as entered
    )
)::text as rest
