-- read_people
select user_id, name, address, address_verified_at from person where user_id = any(%(user_ids)s::text[])
