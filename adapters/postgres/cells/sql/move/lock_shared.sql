-- lock_shared
-- Reports go on; a writer waits, and finds no table of this name when the move is done.
lock table {tables} in share mode
