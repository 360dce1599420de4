"""Quarters of an hour; every UTC offset in use is a multiple of them."""

from datetime import UTC, datetime, timedelta

QUARTER = timedelta(minutes=15)
# The beginning of a quarter, and of a day in UTC.
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def quarter_of(at: datetime) -> datetime:
    """Return the beginning of the quarter of an hour that contains a time."""
    return at - (at - EPOCH) % QUARTER


def on_quarter(instant: datetime) -> bool:
    """Whether a quarter of an hour begins at an instant."""
    return not (instant - EPOCH) % QUARTER
