"""Delivery of events: calls, attempts, responses, transport."""
