-- How long pages were looked at, and how far they were scrolled (docs/track/engagement.md). A measure is no hit: it names its pageview,
-- which has the same digest of the name, and counts for it whichever of both was stored first. Hits and measures share their
-- positions, so that one high-water mark and one checkpoint tell of both.

alter table hit add column pageview_key bigint;

create table engagement (
    position bigint not null primary key,
    site_id bigint not null,
    pageview_key bigint not null,
    received_at timestamptz not null,
    engaged_ms integer,
    scroll_percent smallint,
    check (engaged_ms >= 0),
    check (scroll_percent between 0 and 100),
    check (engaged_ms is not null or scroll_percent is not null)
);

-- A store that draws positions by a function of its own could not have a sequence as the default of a column.
do $$
begin
    if exists (
        select from pg_proc where proname = 'next_position' and pronamespace = current_schema()::regnamespace
    ) then
        alter table engagement alter column position set default next_position();
    else
        alter table engagement alter column position set default nextval('hit_position');
    end if;
end
$$;

create index engagement_of_pageview on engagement (site_id, pageview_key);

create trigger engagement_order before insert on engagement for each statement execute function lock_traffic();
create trigger engagement_kept before update or delete on engagement for each row execute function refuse_change();
create trigger engagement_not_truncated before truncate on engagement for each statement execute function refuse_change();
create trigger engagement_noted after insert or update or delete on engagement
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('position');

-- The measures up to this position have a pageview: those that had none after their time were removed.
create table engagement_settled (
    name text primary key,
    position bigint not null
) with (fillfactor = 50);

insert into engagement_settled (name, position) values ('pageviews', 0);

create trigger engagement_settled_noted after insert or update or delete on engagement_settled
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('name');
