"""Ingestion: from a tracking request to a stored hit or the reason why it was dropped."""
