"""Wiring of the cells that a worker serves."""
