"""The traffic log in PostgreSQL, and the way into it."""
