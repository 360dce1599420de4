"""Cells: each call goes to the adapters of the cell that holds the traffic of its site.

See docs/internals/servers/cells.md.
"""
