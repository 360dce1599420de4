"""Maintenance: erasure, retention, housekeeping, export and import."""
