-- mark_next_days
-- A day that is being counted may include erased sessions. A late session that arrived during the erasure stays until the
-- next time, and the visitor's next session depends on it.
update day_summary_state
set state = 'changed', changed_at = now()
where site_id = %(site_id)s
    and (
        state = 'counting'
        or state = 'counted' and day in (
            select day_of(next.started_at)
            from session as left_over
            cross join lateral (
                select min(its.started_at) as started_at
                from (
                    select session.started_at
                    from session
                    where session.site_id = left_over.site_id and session.visitor_id = left_over.visitor_id
                    offset 0
                ) as its
                where its.started_at > left_over.ended_at
            ) as next
            where left_over.site_id = %(site_id)s
                and left_over.started_at < %(before)s and left_over.ended_at < %(before)s
        )
    )
