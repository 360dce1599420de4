-- Passkeys: the public keys with which browsers sign in. The journal holds their ids and names only.

create table passkey (
    passkey_id text primary key,
    user_id text not null,
    name text not null,
    rp_id text not null,
    credential_id bytea not null unique,
    public_key bytea not null,
    sign_count bigint not null,
    created_at timestamptz not null,
    last_used_at timestamptz
);

create index passkey_of_user on passkey (user_id);
