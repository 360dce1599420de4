-- add_mark
insert into session_mark (site_id, visitor_id, cutoff, first_at, last_at)
select %(site_id)s, %(visitor_id)s, %(cutoff)s, %(first)s, %(last)s
where not exists (
    select from session
    where site_id = %(site_id)s and visitor_id = %(visitor_id)s
        and started_at < %(cutoff)s and ended_at >= %(first)s
)
on conflict (site_id, visitor_id, cutoff) do nothing
