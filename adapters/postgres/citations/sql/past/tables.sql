-- tables
-- Those of the projector's names are written by its statements; `past_…` are as of the positions. None is emptied by the end
-- of a transaction: PostgreSQL would truncate all of them after each one that reads any.
create temporary table if not exists changed_session (session_id bigint primary key, day timestamptz);
create temporary table if not exists aside (position bigint primary key);
create temporary table if not exists past_session (like {stored}.session including indexes including defaults);
create temporary table if not exists past_conversion (like {stored}.conversion including indexes including defaults);
create temporary table if not exists traffic_bucket (like {stored}.traffic_bucket including indexes including defaults);
create temporary table if not exists conversion_bucket (like {stored}.conversion_bucket including indexes including defaults);
create temporary table if not exists conversion_day (like {stored}.conversion_day including indexes including defaults);
create temporary table if not exists past_error_session (
    message_id bigint, session_id bigint, first_at timestamptz, last_at timestamptz, now_first_at timestamptz
);
create temporary table if not exists later_hit (position bigint, visitor_id bigint, occurred_at timestamptz, type hit_type);
create temporary table if not exists session (like {stored}.session including indexes including defaults);
create temporary table if not exists conversion (like {stored}.conversion including indexes including defaults)
