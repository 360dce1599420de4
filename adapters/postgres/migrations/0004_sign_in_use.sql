-- The browsers of sign-ins and their last use, by the handle of the sign-in; kept apart from the journal to be erasable.

create table sign_in_use (
    handle text primary key,
    user_id text not null,
    device text not null,
    last_used_at timestamptz not null
);

create index sign_in_use_of_user on sign_in_use (user_id);
create index sign_in_use_by_age on sign_in_use (last_used_at);
