-- hit_rows_in_gaps
select {value}, count(*) from {hits_in_gaps} group by 1
