"""Quarters of an hour: every UTC offset in use is a multiple of them."""

from datetime import UTC, datetime, timedelta

QUARTER = timedelta(minutes=15)
# The beginning of a quarter, and of a day in UTC.
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def quarter_of(at: datetime) -> datetime:
    """Return the beginning of the quarter of an hour that a time is in."""
    return at - (at - EPOCH) % QUARTER
