"""Outgoing mail in PostgreSQL."""
