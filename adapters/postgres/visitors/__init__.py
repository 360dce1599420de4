"""The data of single visitors in PostgreSQL: found, and erased."""
