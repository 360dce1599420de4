-- count_hosts
-- The hosts of the referrers of the sessions: computed once for each referrer rather than for each session.
with selected as ({selection/sessions}),
each as materialized (select {referrer} as referrer, count(*) as count from selected group by 1),
counted as materialized (select {host} as value, sum(count)::bigint as count from each group by 1),
{page}
