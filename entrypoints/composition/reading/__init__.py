"""Wiring of the process that reads reports, and of the way to it."""
