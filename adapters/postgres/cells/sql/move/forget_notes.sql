-- forget_notes
-- Those of a move that was interrupted.
truncate changed_row
