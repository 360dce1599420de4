-- closed_sites
-- Sites with days that were closed since an instant, and the instant up to which they are known.
select now() as at, array(
    select distinct site_id from column_day where state = 'closed' and since >= %(since)s
) as sites
