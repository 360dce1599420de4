"""Requests and responses on the wire: bodies, parameters, failures, context."""
