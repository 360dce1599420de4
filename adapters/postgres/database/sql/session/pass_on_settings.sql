-- pass_on_settings
-- Nodes of Citus take the settings of a transaction, too: else another one would refuse an erasure, or wait without a limit.
set citus.propagate_set_commands = 'local'
