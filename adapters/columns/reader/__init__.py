"""The reading process of a node: DuckDB, the turns in which it is asked, and the way to it.

See docs/internals/columns.md#turns.
"""
