-- raise_quarter_positions
insert into quarter_position as kept (site_id, quarter, first_position, last_position)
select site_id, bucket_of(occurred_at), min(position), max(position) from slice group by 1, 2
on conflict (site_id, quarter) do update set
    first_position = least(kept.first_position, excluded.first_position),
    last_position = greatest(kept.last_position, excluded.last_position)
