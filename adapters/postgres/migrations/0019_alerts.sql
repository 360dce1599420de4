-- Alert rules: where each stands, the addresses of targets, and the queue of requests to them. Rules, targets and firings
-- themselves stand in the journal. Advisory lock 13 is that of the worker that evaluates rules.

create table alert_watch (
    site_id bigint not null,
    rule integer not null,
    revision integer not null,
    evaluated_until timestamptz not null,
    due_at timestamptz not null,
    firing boolean not null,
    calm integer not null,
    obstacle text,
    primary key (site_id, rule)
) with (fillfactor = 50);

create index alert_watch_due on alert_watch (due_at);

-- Outside of the journal, since both are secrets.
create table alert_target (
    site_id bigint not null,
    target integer not null,
    url text not null,
    secret text,
    primary key (site_id, target)
);

create table alert_request (
    key text primary key,
    site_id bigint not null,
    target integer not null,
    content_type text not null,
    body text,
    signed boolean not null,
    queued_at timestamptz not null,
    attempts integer not null default 0,
    due_at timestamptz,
    finished_at timestamptz,
    outcome text check (outcome in ('delivered', 'given-up')),
    reason text,
    check ((due_at is null) = (finished_at is not null)),
    check (due_at is null or body is not null)
);

create index alert_request_due on alert_request (due_at) where due_at is not null;
create index alert_request_finished on alert_request (finished_at) where finished_at is not null;
create index alert_request_of_site on alert_request (site_id, target, queued_at);

-- The history of a site needs the firings of all rules that it ever had, and so does the erasure of a site.
create index event_firings_of_site on event (((data ->> 'site_id')::bigint)) where type = 'alert-fired';
