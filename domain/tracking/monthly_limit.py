"""The monthly limit of a site: how many pageviews of a calendar month, UTC, are stored."""

from datetime import UTC, date, datetime

_DECEMBER = 12


def month_of(at: datetime) -> date:
    """Return the first day of the UTC month that a time is in."""
    return at.astimezone(UTC).date().replace(day=1)


def following_month(month: date) -> date:
    """Return the first day of the month after, when the count begins anew."""
    return date(month.year + 1, 1, 1) if month.month == _DECEMBER else month.replace(month=month.month + 1)


def is_used_up(limit: int | None, used: int) -> bool:
    """Whether so many stored pageviews fill a month, so that no further hit is stored; without a limit none do."""
    return limit is not None and used >= limit
