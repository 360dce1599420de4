"""The time of a tracked event, which only a key may give (docs/track/ingestion.md)."""

from datetime import datetime, timedelta

# It lies at most this far before and behind its arrival.
MOST_BEHIND = timedelta(days=30)
MOST_AHEAD = timedelta(minutes=5)


def is_timely(at: datetime, received_at: datetime) -> bool:
    """Whether an event may have a time: at most 5 minutes ahead of its arrival, and 30 days behind."""
    return received_at - MOST_BEHIND <= at <= received_at + MOST_AHEAD
