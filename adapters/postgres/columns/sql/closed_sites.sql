-- closed_sites
-- Sites with days that were closed since an instant, the instant up to which they are known, and the set of read models, where
-- another one has other days.
select
    now() as at,
    (select set_id from projection_checkpoint where name = 'reports') as set_id,
    array(select distinct site_id from column_day where state = 'closed' and since >= %(since)s) as sites
