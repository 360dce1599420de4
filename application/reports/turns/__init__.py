"""Turns of reports, and the queue for them."""
