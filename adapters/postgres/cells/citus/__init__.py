"""Cells that are distributed schemas of Citus: their layout, nodes, moves and shards.

See docs/internals/servers/citus.md.
"""
