"""Alerts: rules on metrics of a site, when they fire, and where that is told."""
