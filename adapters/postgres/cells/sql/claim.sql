-- claim
with forgotten as (delete from cell_mark where mark <> %(mark)s)
insert into cell_mark (cell, mark) values (%(cell)s, %(mark)s)
on conflict (cell) do update set mark = excluded.mark
