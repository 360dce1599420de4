"""Reports answered from files by DuckDB."""
