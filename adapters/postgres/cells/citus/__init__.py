"""Cells that are distributed schemas of Citus (docs/operations/citus.md)."""
