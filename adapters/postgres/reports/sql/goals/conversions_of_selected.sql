-- conversions_of_selected
with {selection/selected}, {converted}
select index, count(*) as count from converted join selected using (session_id) group by index
union all
select null, (select count(*) from selected)
