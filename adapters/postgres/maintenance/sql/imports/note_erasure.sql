-- note_erasure
-- An undoing that goes on after an interruption keeps what it noted first: some of its hits may be gone.
insert into hit_erasure (site_id, reason, first_position, since, until)
select %(site_id)s, 'import ' || %(import_id)s::text, coalesce(min(position), 0), %(since)s, %(until)s
from hit
where site_id = %(site_id)s and import_id = %(import_id)s and occurred_at >= %(since)s and occurred_at < %(until)s
on conflict (site_id, reason) do nothing
