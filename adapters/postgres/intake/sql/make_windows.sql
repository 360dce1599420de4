-- make_windows
insert into rate_window (key_id, admitted)
select key_id, '{}' from unnest(%(keys)s::bigint[]) as key_id order by key_id
on conflict (key_id) do nothing
