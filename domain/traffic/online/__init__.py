"""Visitors who are online now, and those of the last days."""
