"""Snapshots for answers, the present one and those of earlier positions."""
