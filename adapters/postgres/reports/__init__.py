"""Reports read from PostgreSQL."""
