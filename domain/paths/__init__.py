"""Paths of pages in one spelling, and patterns of paths."""
