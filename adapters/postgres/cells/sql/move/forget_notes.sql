-- forget_notes
-- Those of a move that was interrupted. To truncate the table would wait for a dump.
delete from changed_row
