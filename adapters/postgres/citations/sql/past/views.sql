-- views
-- The tables that reports of rows read, as they were at the positions. Sums have no past: these reports read none.
alter table pg_temp.session rename to past_session;
create temporary view session as
select * from {schema}.session
where site_id = {site_id} and session_id <= {traffic} and session_id not in (select session_id from changed_session)
union all
select * from past_session;
create temporary view hit as
select * from {schema}.hit where site_id = {site_id} and position <= {traffic};
create temporary view error_occurrence as
select * from {schema}.error_occurrence where site_id = {site_id} and position <= {traffic};
create temporary view error_sighting as
select * from {schema}.error_sighting where site_id = {site_id} and position <= {traffic};
create temporary view error_message as
select * from {schema}.error_message as message
where site_id = {site_id}
    and not exists (
        select from {schema}.error_occurrence as later
        where later.site_id = message.site_id and later.message_id = message.message_id and later.position > {traffic}
    )
union all
select * from past_message;
create temporary view event as
select * from {schema}.event where position <= {journal};
-- Without the projected goals, rules are matched with hits.
create temporary table goal_version (like {schema}.goal_version) on commit drop;
create temporary table day_summary_state (like {schema}.day_summary_state) on commit drop;
analyze changed_session, past_session, past_message
