-- One-time tokens of links, by their digests, and counts of attempts to sign in, by keyed digests.

create table one_time_token (
    digest text primary key,
    purpose text not null,
    user_id text not null,
    address text,
    expires_at timestamptz not null
);

create index one_time_token_of_user on one_time_token (user_id);
create index one_time_token_by_age on one_time_token (expires_at);

create table sign_in_attempt (
    subject bytea not null,
    begins_at timestamptz not null,
    attempts integer not null,
    primary key (subject, begins_at)
);

create index sign_in_attempt_by_age on sign_in_attempt (begins_at);

-- A link is sent to an address that is known and not verified yet, too.
create index person_address on person (lower(address collate "C"));
