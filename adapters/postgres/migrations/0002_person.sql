-- Persons: the names and addresses of users. The journal holds ids only, so that a person can be erased.

create table person (
    user_id text primary key,
    name text,
    address text,
    address_verified_at timestamptz
);

-- Addresses are ASCII, whose letter case is the same in every collation but Turkish ones.
create unique index person_verified_address on person (lower(address collate "C")) where address_verified_at is not null;
