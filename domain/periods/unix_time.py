"""Instants as whole microseconds since the beginning of 1970 in UTC, which texts and numbers hold exactly."""

from datetime import UTC, datetime, timedelta

MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds_of(at: datetime) -> int:
    """Return the number of an instant."""
    return (at - _EPOCH) // MICROSECOND


def instant_of(microseconds: int) -> datetime:
    """Return the instant of a number."""
    return _EPOCH + microseconds * MICROSECOND
