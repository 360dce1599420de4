"""Panels of the page of a site: what they ask, and their rows, tables and files."""
