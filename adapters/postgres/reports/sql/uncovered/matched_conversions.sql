-- matched_conversions
with {sessions}, {converted}
select index, count(*) as count, null::bigint as viewed from converted join selected using (session_id) group by index
union all
select null, count(*), count(*) filter (where pageviews > 0) from selected
