"""Cells that are distributed schemas of Citus: their layout, nodes, moves and shards (docs/operations/citus.md)."""
