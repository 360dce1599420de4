"""Channels: by which way a visitor came."""
