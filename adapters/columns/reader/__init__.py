"""The reading process of a node: DuckDB, the turns in which it is asked, and the way to it (docs/columns.md#turns)."""
