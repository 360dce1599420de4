-- lock_checkpoint
-- A migration holds the checkpoint, so that no projector changes the read models meanwhile. Projectors that wait for it
-- find another projection version afterwards.
select from projection_checkpoint for update
