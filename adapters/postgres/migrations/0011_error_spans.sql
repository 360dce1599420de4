-- What a message is counted by over a day, over longer spans too: a report over a month adds up a third of the rows, and
-- one over a year a twentieth.

create function span_of(days integer, at timestamptz) returns timestamptz language sql immutable parallel safe as $$
    select date_bin(days * interval '24 hours', at, '2000-01-01 00:00:00+00')
$$;

-- Per message and 1, 4, 16 or 64 days in UTC, each span a whole number of the next shorter ones; only of messages that
-- occurred on more than one day: a flood of others costs no list anything.
create table error_span (
    site_id bigint not null,
    days integer not null,
    since timestamptz not null,
    message_id bigint not null,
    occurrences bigint not null,
    sessions bigint not null,
    primary key (site_id, days, since, message_id)
) with (fillfactor = 70);

insert into error_span (site_id, days, since, message_id, occurrences, sessions)
select site_id, days, span_of(days, day), message_id, sum(occurrences), sum(sessions)
from error_day
cross join unnest('{1, 4, 16, 64}'::integer[]) as days
group by site_id, days, span_of(days, day), message_id;

drop table error_day;
