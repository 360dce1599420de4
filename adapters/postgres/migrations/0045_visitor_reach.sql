-- Salts of weeks, months and years in which visitors are recognized; those of days have a table of their own, which former
-- versions use.
create table visitor_span_salt (
    span text primary key,
    ends_at timestamptz not null,
    salt bytea not null
);
