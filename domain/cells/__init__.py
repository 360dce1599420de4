"""Cells: the stores among which the traffic of sites is divided."""
