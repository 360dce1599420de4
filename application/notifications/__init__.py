"""Notifications: what the service tells users by mail."""
