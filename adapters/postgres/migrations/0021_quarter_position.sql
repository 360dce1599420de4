-- Which quarters of an hour have to be counted for questions about the past (docs/read/programs/citations.md).

-- The lowest and the highest position of a hit of each quarter of an hour; or a lower and a higher one. As of the highest
-- one and later, the quarter has the hits that it has now, but for those that were erased; before the lowest it had none.
create table quarter_position (
    site_id bigint not null,
    quarter timestamptz not null,
    first_position bigint not null,
    last_position bigint not null,
    primary key (site_id, quarter)
) with (fillfactor = 50);

-- Of earlier hits the quarter alone is known.
insert into quarter_position (site_id, quarter, first_position, last_position)
select site_id, bucket, 0, (select position from projection_checkpoint where name = 'reports')
from traffic_bucket
where pageviews + custom_events + performance_measures + outbound_clicks + errors > 0;

-- A projector that does not know this table would not write positions.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 5;
