-- person_by_address
select user_id, name, address, address_verified_at
from person
where lower(address collate "C") = lower(%(address)s collate "C") and address_verified_at is not null
