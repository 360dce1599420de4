-- Quarters of an hour are 2,880 rows a month for each goal, and a list that is sorted by a metric asks for all goals: whole
-- days are added up here.

-- Per goal version and day in UTC: sessions whose first conversion falls into it, and those whose first falls before it and
-- whose last does not.
create table conversion_day (
    site_id bigint not null,
    number bigint not null,
    day timestamptz not null,
    conversions bigint not null,
    carried bigint not null,
    primary key (site_id, number, day)
) with (fillfactor = 50);

insert into conversion_day (site_id, number, day, conversions, carried)
select site_id, number, day, sum(conversions), sum(carried)
from (
    select site_id, number, day_of(first_at) as day, 1 as conversions, 0 as carried from conversion
    union all
    select site_id, number, day_of(last_at), 0, 1 from conversion where day_of(last_at) > day_of(first_at)
) as change
group by site_id, number, day;

update projection_checkpoint set shape = shape + 1;
alter table projection_checkpoint alter column shape set default 2;
