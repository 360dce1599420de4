-- Who came, per day that has been counted, so that different visitors of a period are a sum over days, too.
--
-- A visitor of a period was carried over its beginning, or has exactly one session that started in it and before whose
-- start they were last seen before the period, or never: that is the earliest one. So the visitors of a period are those
-- carried over its beginning, and the sessions of its days that can be such a first one, less those before which the
-- visitor was seen too recently. Times are quarters of an hour. A visitor is last seen in the quarter in which ended what
-- ended last of their sessions that had started before; a session that started no later than in that quarter is nowhere
-- a first one.
create table day_visitors (
    site_id bigint not null,
    day timestamptz not null,
    -- For each of the 96 quarters: visitors with a session that had started before it and had not ended before it.
    carried integer[] not null,
    -- For each of the 96 quarters: sessions that started in it and before it the visitor was last seen, or never.
    starts integer[] not null,
    -- Visitors with a session that started on the day, who had not been seen on it before that: their first ones.
    arrivals integer not null,
    -- Of sessions that started up to 99 quarters after the visitor was last seen: the quarter of the day times 128, and how
    -- many they were. Ascending, so that a place in the array is a count.
    recent integer[] not null,
    -- Of sessions before which the visitor was last seen before the day: how many quarters before it, times 96, and the
    -- quarter of the day in which they started. Ascending; those who had never been seen are not in it.
    earlier integer[] not null,
    primary key (site_id, day)
);

-- Read as a whole: to unpack them would take longer than to read what packing saves.
alter table day_visitors alter column recent set storage external, alter column earlier set storage external;

-- Who of today had been there before is asked of the index alone, which is why it holds when sessions started.
create index on session (site_id, visitor_id, session_id, started_at);
drop index session_site_id_visitor_id_session_id_idx;

update traffic_day set state = 'touched', touched_at = '-infinity' where state in ('counting', 'counted');

update projection_checkpoint set shape = shape + 1;
alter table projection_checkpoint alter column shape set default 4;
