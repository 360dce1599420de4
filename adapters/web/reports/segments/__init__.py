"""Segments on the dashboard."""
