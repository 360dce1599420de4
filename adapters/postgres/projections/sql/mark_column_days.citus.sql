-- mark_column_days
-- Day by day: of one statement Citus sends rows to other nodes, too, so that the projector would need all of them. The
-- difference of times is immutable.
do $$
declare
    touched record;
    added bigint;
begin
    for touched in
        select site_id, day, array_agg(distinct session_id) as sessions
        from (
            select site_id, day_of(started_at) as day, session_id from session_delta
            union all
            select site_id, day_of(was_started_at), session_id
            from session_delta
            where day_of(was_started_at) <> day_of(started_at)
            union all
            select site_id, day_of(started_at), session_id from regrouped where sign < 0
        ) as own
        group by site_id, day
        order by site_id, day
    loop
        if exists (
            select from column_day
            where site_id = touched.site_id and day = touched.day and state = 'closed'
        ) then
            insert into column_change (site_id, day, session_id)
            select touched.site_id, touched.day, session_id from unnest(touched.sessions) as session_id
            on conflict do nothing;
            get diagnostics added = row_count;
            update column_day set changes = changes + added, changed_at = now()
            where site_id = touched.site_id and day = touched.day and added > 0;
        else
            insert into column_day as kept (site_id, day, state, since, changed_at)
            values (touched.site_id, touched.day, 'open', now(), now())
            on conflict (site_id, day) do update set
                state = 'open',
                since = case when kept.state = 'open' then kept.since else excluded.since end,
                changed_at = excluded.changed_at
            where kept.state <> 'open' or excluded.changed_at - kept.changed_at > interval '10 seconds';
        end if;
    end loop;
end
$$
