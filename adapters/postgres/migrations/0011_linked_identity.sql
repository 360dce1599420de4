-- Identities of OpenID Connect with which users sign in. The journal holds their ids only.

create table linked_identity (
    identity_id text primary key,
    user_id text not null,
    issuer text not null,
    subject text not null,
    linked_at timestamptz not null,
    last_used_at timestamptz,
    unique (issuer, subject)
);

create index linked_identity_of_user on linked_identity (user_id);
