-- note_erasure
insert into hit_erasure as kept (site_id, reason, first_position, since, until)
values (%(site_id)s, 'retention', 0, '-infinity', %(before)s)
on conflict (site_id, reason) do update set until = greatest(kept.until, excluded.until), finished_at = null
