-- A rebuild exchanges the read models when nodes have the files of the new set (docs/internals/columns.md#rebuilding).

-- The set of read models; null until the first rebuild. Statements of the version before do not name it.
alter table projection_checkpoint add column set_id uuid;

-- When a rebuild last asked a node for the files of its set, and which of its questions the node has answered.
alter table column_node add column asked_at timestamptz, add column answered_at timestamptz;
