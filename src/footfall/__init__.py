"""Footfall: self-hosted web analytics with an event-sourced core."""

__version__ = "0.1.0"
__all__ = ["__version__"]
