-- make_quotas
-- As stored_pageviews counts: a function that reads a table cannot be called beside the shards of another one.
with absent as materialized (
    select asked.site_id, asked.month, (
        select count(*)
        from hit
        where hit.site_id = asked.site_id
            and type = 'pageview'
            and import_id is null
            and occurred_at >= asked.month::timestamp at time zone 'UTC' - interval '31 days'
            and received_at >= asked.month::timestamp at time zone 'UTC'
            and received_at < (asked.month + interval '1 month') at time zone 'UTC'
    ) as used
    from unnest(%(sites)s::bigint[], %(months)s::date[]) as asked (site_id, month)
    left join pageview_quota as known on known.site_id = asked.site_id and known.month = asked.month
    where known.site_id is null
)
insert into pageview_quota (site_id, month, used)
select site_id, month, used from absent order by site_id, month
on conflict (site_id, month) do nothing
