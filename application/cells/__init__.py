"""Cells: each call goes to the adapters of the cell that holds the traffic of its site (docs/operations/cells.md)."""
