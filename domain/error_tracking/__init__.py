"""Captured JavaScript errors: occurrences, stack traces, aggregation."""
