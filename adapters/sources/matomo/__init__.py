"""Matomo 4 and 5: its tables in MySQL or MariaDB, and what their rows become (docs/track/imports/matomo.md)."""
