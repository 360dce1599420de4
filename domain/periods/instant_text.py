"""Instants as texts of the interface, of files and of messages."""

from datetime import UTC, datetime


def instant_text(at: datetime) -> str:
    """Return an instant in ISO 8601, in UTC, to the millisecond: 2026-01-31T12:00:00.000Z."""
    return f"{at.astimezone(UTC).isoformat(timespec='milliseconds')[:-6]}Z"
