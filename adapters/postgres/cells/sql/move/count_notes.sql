-- count_notes
select count(*) as notes from changed_row
