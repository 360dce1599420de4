"""Retention: from when on hits of a site are kept; what it leaves of sessions is in `domain/traffic/retention.py`."""

from datetime import UTC, datetime, timedelta

MAX_DAYS = 3650


def kept_since(now: datetime, days: int) -> datetime:
    """Return the earliest instant of kept hits: the beginning of the UTC day that many days before today."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=days)
