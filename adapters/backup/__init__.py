"""Backups: a folder of checked files, the programs of PostgreSQL, and the secret under a passphrase."""
