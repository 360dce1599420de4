-- Hits of a site as archives hold them.

-- name: read_hits
-- A range of positions and not a number of rows: its length limits the time, however few hits of the site are in it.
select *
from hit
where site_id = %(site_id)s and position > %(after)s and position <= %(up_to)s
order by position

-- name: read_measures
select *
from engagement
where site_id = %(site_id)s and position > %(after)s and position <= %(up_to)s
order by position

-- name: count_hits
select count(*) as hits from hit where site_id = %(site_id)s

-- name: read_marks
select site_id, visitor_id, cutoff, first_at as first, last_at as last
from session_mark
where site_id = %(site_id)s
order by visitor_id, cutoff

-- name: add_mark
insert into session_mark (site_id, visitor_id, cutoff, first_at, last_at)
select %(site_id)s, %(visitor_id)s, %(cutoff)s, %(first)s, %(last)s
where not exists (
    select from session
    where site_id = %(site_id)s and visitor_id = %(visitor_id)s
        and started_at < %(cutoff)s and ended_at >= %(first)s
)
on conflict (site_id, visitor_id, cutoff) do nothing

-- name: import_position
select position from hit_import where site_id = %(site_id)s and source = %(source)s

-- name: begin_import
insert into hit_import (site_id, source, position) values (%(site_id)s, %(source)s, 0) on conflict do nothing

-- name: move_import
update hit_import
set position = %(reached)s
where site_id = %(site_id)s and source = %(source)s and position = %(after)s
