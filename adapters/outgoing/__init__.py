"""Requests of the service to other servers."""
