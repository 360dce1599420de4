"""Tracking endpoints and the scripts that pages load."""
