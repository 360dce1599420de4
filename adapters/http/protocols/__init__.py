"""Endpoints in the protocols of other services, translated into events of our own (docs/track/protocols)."""
