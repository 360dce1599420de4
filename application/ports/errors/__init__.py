"""Ports of the reports on errors and of their groups."""
