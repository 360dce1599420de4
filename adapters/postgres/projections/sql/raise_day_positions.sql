-- raise_day_positions
insert into day_position as kept (site_id, day, position)
select site_id, day_of(occurred_at), max(position) from slice group by 1, 2
on conflict (site_id, day) do update set position = greatest(kept.position, excluded.position)
