-- do_not_compile
-- Connections between nodes do not have the settings of the service: compiling a statement takes longer than to run it.
alter role {role} in database {database} set jit = off
