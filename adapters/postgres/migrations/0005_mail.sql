-- The queue of outgoing mail. Address and content of a mail are erased when it was sent; advisory lock 9 is that of the
-- worker that sends.

create table mail (
    mail_id text primary key,
    kind text not null,
    user_id text,
    recipient text,
    subject text,
    body_text text,
    body_html text,
    unsubscribe_url text,
    useless_after timestamptz,
    queued_at timestamptz not null,
    attempts integer not null default 0,
    due_at timestamptz,
    finished_at timestamptz,
    outcome text check (outcome in ('sent', 'given-up', 'void')),
    reason text,
    check ((due_at is null) = (finished_at is not null)),
    check (due_at is null or num_nulls(recipient, subject, body_text, body_html) = 0)
);

create index mail_due on mail (due_at) where due_at is not null;
create index mail_finished on mail (finished_at) where finished_at is not null;
create index mail_given_up on mail (user_id) where outcome = 'given-up';

-- Addresses that want no mails of a kind, as digests that are keyed with the server's secret.
create table mail_unsubscription (
    address_digest bytea not null,
    kind text not null,
    unsubscribed_at timestamptz not null,
    primary key (address_digest, kind)
);
