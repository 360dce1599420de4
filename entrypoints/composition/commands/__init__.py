"""Wiring of single commands."""
