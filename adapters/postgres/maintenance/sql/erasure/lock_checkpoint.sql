-- lock_checkpoint
-- Only the holder of the checkpoint changes the read models, whichever version projects them.
select position from projection_checkpoint where name = 'reports' for update
