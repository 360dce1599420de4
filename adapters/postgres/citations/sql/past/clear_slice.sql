-- clear_slice
delete from slice
