"""A period in pieces that counts of errors are kept for: days in UTC, quarters of an hour, and what is left over."""

from datetime import UTC, datetime, timedelta
from typing import Any

from footfall.adapters.postgres.reporting import LONGEST, QUARTER
from footfall.domain.period import Period

_DAY = timedelta(days=1)
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def error_pieces(period: Period) -> dict[str, Any]:
    """Return the edges of the pieces, as parameters of a statement.

    Whole days are from `days_start` to `days_end`; beside them, from `quarters_start` and to `quarters_end`, whole
    quarters; beside those, from `start` and to `end`, single occurrences. In a `short` period a session can have met
    an error before and behind it and not inside.
    """
    quarters_start, quarters_end = _inner(period.start, period.end, QUARTER)
    days_start, days_end = _inner(quarters_start, quarters_end, _DAY)
    return {
        "start": period.start,
        "quarters_start": quarters_start,
        "days_start": days_start,
        "days_end": days_end,
        "quarters_end": quarters_end,
        "end": period.end,
        "short": period.length < LONGEST,
    }


def _inner(start: datetime, end: datetime, step: timedelta) -> tuple[datetime, datetime]:
    """Return the first and the last multiple of the step in between; twice the end when there are not two."""
    first = start + (_EPOCH - start) % step
    last = end - (end - _EPOCH) % step
    return (first, last) if first < last else (end, end)
