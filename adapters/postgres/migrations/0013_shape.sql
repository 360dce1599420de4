-- What the projector writes has a number: one of another version, beside which the schema was changed, leaves the log to
-- those that know of the change. A migration that brings a read model, or says anew what is in one, counts it up:
--
--     update projection_checkpoint set shape = shape + 1;
--     alter table projection_checkpoint alter column shape set default …;
--
-- and `SHAPE` in read_models.py follows.

alter table projection_checkpoint add column shape integer not null default 1;
