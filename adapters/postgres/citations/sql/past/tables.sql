-- tables
-- Those of the projector's names are written by its statements; `past_…` are as of the positions.
create temporary table if not exists changed_session (session_id bigint primary key, day timestamptz) on commit delete rows;
create temporary table if not exists changed_day (day timestamptz primary key) on commit delete rows;
create temporary table if not exists later_slice (like slice) on commit delete rows;
create temporary table if not exists past_session (like {schema}.session) on commit delete rows;
create temporary table if not exists past_conversion (like {schema}.conversion) on commit delete rows;
create temporary table if not exists session (like {schema}.session including indexes including defaults) on commit delete rows;
create temporary table if not exists traffic_bucket (like {schema}.traffic_bucket including indexes including defaults) on commit delete rows;
create temporary table if not exists conversion (like {schema}.conversion including indexes including defaults) on commit delete rows;
create temporary table if not exists conversion_bucket (like {schema}.conversion_bucket including indexes including defaults) on commit delete rows;
create temporary table if not exists conversion_day (like {schema}.conversion_day including indexes including defaults) on commit delete rows
