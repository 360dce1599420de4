-- hits_of_slice
select count(*) as hits from slice
