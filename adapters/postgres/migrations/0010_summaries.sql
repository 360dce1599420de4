-- Days in UTC that have been counted once they had ended, so that what traffic is made of is a sum over days.
--
-- Each slice of the log marks the days that it touches, those of the past too: a day answers for itself only as long as
-- nothing has touched it since it was counted. All others are answered from their sessions and hits.

create type share_dimension as enum (
    'channel', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'entry_page',
    'exit_page', 'country', 'region', 'city', 'browser', 'operating_system', 'device_type', 'language', 'hostname',
    'pathname', 'page_title', 'event_name', 'outbound',
    -- The pages of performance measures.
    'measured'
);

-- 'small' days have so few hits that to count them would save nothing.
create type day_state as enum ('touched', 'counting', 'counted', 'small');

create table traffic_day (
    site_id bigint not null,
    day timestamptz not null,
    state day_state not null,
    touched_at timestamptz not null,
    primary key (site_id, day)
) with (fillfactor = 70);

create index on traffic_day (day) where state in ('touched', 'counting');

-- Per dimension and value: sessions that started on the day, and those that had started before it and had not ended
-- before it; or hits. A value can be longer than an index takes: there is none on it, and nobody looks for one.
create table day_share (
    site_id bigint not null,
    day timestamptz not null,
    dimension share_dimension not null,
    value text not null,
    count bigint not null,
    carried bigint not null
);

create index on day_share (site_id, dimension, day);

-- Per page, and with a null of all pages together: the classes of the measures that were taken, and how often. A class
-- says of which metric it is: it is the metric's place times 16384, and the class of the measure.
create table day_vitals (
    site_id bigint not null,
    day timestamptz not null,
    pathname text,
    classes integer[] not null,
    counts integer[] not null
);

create index on day_vitals (site_id, (md5(pathname)::uuid), day);
create index on day_vitals (site_id, day);

-- The class of a measure as `measure_class` in domain/vitals.py says it, from the measure in ten-thousandths: the place
-- of the largest of 1, 2, 5, 10, 20, 50, … that is at most a hundredth of it, times 256, and how many of these it is.
-- Single expressions, so that they are evaluated in place: called as functions they would take ten times as long.
create function ten_thousandths(measure double precision) returns bigint language sql immutable parallel safe as $$
    -- Not `least`, to which what is not known is no measure but the largest.
    select round(case when measure > 1e9 then 1e9 else measure end * 10000)::bigint
$$;

create function step_of(exact bigint) returns integer language sql immutable parallel safe as $$
    select width_bucket(exact, array[
        200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 2000000, 5000000, 10000000,
        20000000, 50000000, 100000000, 200000000, 500000000, 1000000000, 2000000000, 5000000000, 10000000000,
        20000000000, 50000000000, 100000000000, 200000000000, 500000000000, 1000000000000, 2000000000000,
        5000000000000, 10000000000000
    ]::bigint[])
$$;

create function class_in_step(exact bigint, step integer) returns integer language sql immutable parallel safe as $$
    select step * 256 + ((exact - 1) / (array[
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000,
        2000000, 5000000, 10000000, 20000000, 50000000, 100000000, 200000000, 500000000, 1000000000, 2000000000,
        5000000000, 10000000000, 20000000000, 50000000000, 100000000000
    ]::bigint[])[step + 1] + 1)::integer
$$;

create function measure_class(measure double precision) returns integer language sql immutable parallel safe as $$
    select class_in_step(ten_thousandths(measure), step_of(ten_thousandths(measure)))
$$;

-- Everything that is there already has yet to be counted.
insert into traffic_day (site_id, day, state, touched_at)
select distinct site_id, day_of(bucket), 'touched'::day_state, '-infinity'::timestamptz from traffic_bucket;

-- Who came in a period is asked of the index alone; what changes with each hit must not be in it.
create index on session (site_id, started_at) include (visitor_id);
drop index session_site_id_started_at_idx;
