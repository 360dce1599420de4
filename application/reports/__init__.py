"""Read-side services."""
