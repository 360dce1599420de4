"""The sessions, hits and rows that reports choose, as conditions of DuckDB."""
