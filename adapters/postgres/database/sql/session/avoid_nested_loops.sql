-- avoid_nested_loops
set local enable_nestloop = off
