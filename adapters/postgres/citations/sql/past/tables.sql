-- tables
-- Those of the projector's names are written by its statements; `past_…` are as of the positions.
create temporary table changed_session (session_id bigint primary key, day timestamptz) on commit drop;
create temporary table changed_day (day timestamptz primary key) on commit drop;
create temporary table later_slice (like slice) on commit drop;
create temporary table past_session (like {schema}.session) on commit drop;
create temporary table past_conversion (like {schema}.conversion) on commit drop;
create temporary table past_message (like {schema}.error_message) on commit drop;
create temporary table session (like {schema}.session including indexes including defaults) on commit drop;
create temporary table traffic_bucket (like {schema}.traffic_bucket including indexes including defaults) on commit drop;
create temporary table conversion (like {schema}.conversion including indexes including defaults) on commit drop;
create temporary table conversion_bucket (like {schema}.conversion_bucket including indexes including defaults) on commit drop;
create temporary table conversion_day (like {schema}.conversion_day including indexes including defaults) on commit drop
