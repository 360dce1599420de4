-- keep_to_node
-- What is made in this transaction is made at this node alone.
set local citus.enable_ddl_propagation = off
