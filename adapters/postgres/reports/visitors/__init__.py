"""Numbers of different visitors."""
