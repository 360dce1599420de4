-- save_person
insert into person (user_id, name, address, address_verified_at)
values (%(user_id)s, %(name)s, %(address)s, %(address_verified_at)s)
on conflict (user_id) do update
set name = excluded.name, address = excluded.address, address_verified_at = excluded.address_verified_at
