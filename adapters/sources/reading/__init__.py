"""Means of reading sources: files that grow, tables in the order of time, temporary folders, values."""
