-- later_error
-- The occurrences of errors that are put aside: among earlier ones, and from where all are later.
select message_id, session_id, occurred_at
from {schema}.day_position
join {schema}.quarter_position using (site_id)
cross join lateral (
    select message_id, session_id, occurred_at
    from {schema}.error_occurrence as its
    where its.site_id = {site_id} and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
        and not {is_shown}
    offset 0
) as later
where site_id = {site_id} and day_position.position > {traffic}
    and quarter >= day and quarter < day + interval '24 hours'
    and last_position > {traffic} and quarter < {later_since}
union all
select message_id, session_id, occurred_at
from {schema}.error_occurrence
where site_id = {site_id} and occurred_at >= {later_since}
