-- note_positions
insert into position_minute as kept (minute, traffic, journal)
values (date_trunc('minute', clock_timestamp(), 'UTC'), %(position)s, %(journal_position)s)
on conflict (minute) do update set
    traffic = greatest(kept.traffic, excluded.traffic), journal = greatest(kept.journal, excluded.journal)
