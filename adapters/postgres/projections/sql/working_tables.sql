-- The temporary tables of a projector, which each commit empties.

-- name: slice_table
-- Hits that are `again` in it have been folded before: their sessions are formed anew. What most statements ask for stands first,
-- since a row is read up to the last column that is asked for.
create temporary table if not exists slice on commit delete rows as
select
    position as session_id, position, site_id, visitor_id, occurred_at, type, false as again, user_id, signed_visitor_id, pathname,
    page_title, event_name, properties, release
from hit
with no data

-- name: placed_table
create temporary table if not exists placed (
    kind text not null, site_id bigint not null, visitor_id bigint not null, number bigint not null,
    started_at timestamptz not null, ended_at timestamptz not null, target_id bigint
) on commit delete rows

-- name: regrouped_table
create temporary table if not exists regrouped on commit delete rows as
select 0 as sign, session_id as target_id, session.* from session with no data

-- name: session_delta_table
create temporary table if not exists session_delta on commit delete rows as
select
    site_id, session_id, visitor_id, session_id as first_position, started_at as first_at, started_at, ended_at, 0 as view, 0 as bounce,
    started_at as was_started_at, ended_at as was_ended_at, 0 as was_view, 0 as was_bounce,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id, signed_visitor_id
from session
with no data

-- name: matches_table
create temporary table if not exists matches on commit delete rows as
select site_id, session_id, number, first_at, last_at from conversion with no data

-- name: conversion_delta_table
create temporary table if not exists conversion_delta on commit delete rows as
select site_id, session_id, number, first_at, last_at, ended_at, first_at as was_first_at, last_at as was_last_at
from conversion
with no data

-- name: new_errors_table
create temporary table if not exists new_errors on commit delete rows as
select site_id, message_id, digest, message_id as session_id, message_id as position, first_seen as occurred_at, error_name,
    false as again
from error_message
with no data

-- name: error_session_delta_table
create temporary table if not exists error_session_delta on commit delete rows as
select site_id, message_id, session_id, first_at, last_at, first_at as was_first_at, last_at as was_last_at
from error_session
with no data

-- name: error_kind_table
create temporary table if not exists error_kind (
    digest uuid not null, position bigint not null, fingerprint text, stack bigint
) on commit delete rows
