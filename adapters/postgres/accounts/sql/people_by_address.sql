-- people_by_address
select user_id, name, address, address_verified_at
from person
where lower(address collate "C") = lower(%(address)s::text collate "C")
order by user_id
limit 100
