-- end_writing
set transaction read only
