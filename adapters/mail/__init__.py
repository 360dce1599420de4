"""Outgoing mail: texts from templates, and the way to an SMTP server."""
