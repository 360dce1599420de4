-- Keyed digests of identities and addresses of persons who had an account: they join no organization as newcomers. Names that forgotten users
-- gave to their keys and passkeys are erased from the journal.

create table former_proof (
    digest bytea primary key
);

set local footfall.erasing = 'on';

update event
set data = data || '{"name": ""}'
where schema_version >= 0
    and data ->> 'name' <> ''
    and (
        (type = 'api-key-issued' and 'user-' || (data ->> 'user_id') in (select stream from event where type = 'user-forgotten'))
        or (type = 'passkey-registered' and stream in (select stream from event where type = 'user-forgotten'))
    );
