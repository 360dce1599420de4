"""Tracking events: their payload, and the visit of a request."""
