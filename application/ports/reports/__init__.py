"""Ports of reports."""
