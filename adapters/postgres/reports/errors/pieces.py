"""Division of a period for counting errors: into spans of days in UTC, quarters of an hour, and edges."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from footfall.adapters.postgres.reports.snapshot import DAY, whole
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import QUARTER
from footfall.domain.traffic.session import LONGEST

# The spans of the table `error_span`, in days, the longest first.
_SPANS = (64, 16, 4, 1)

# How many days each of them lasts, where the first begins and where the last ends.
_Spans = tuple[int, datetime, datetime]


def error_pieces(period: Period) -> dict[str, Any]:
    """Return the edges of the pieces, as parameters of a statement.

    Whole days are from `days_start` to `days_end`, and in `spans`, which are as long as they can be; beside them, from
    `quarters_start` and to `quarters_end`, whole quarters; beside those, from `start` and to `end`, single occurrences.
    In a `short` period a session can have met an error before and behind it and not inside.
    """
    quarters_start, quarters_end = whole(period.start, period.end, QUARTER)
    days_start, days_end = whole(quarters_start, quarters_end, DAY)
    return {
        "start": period.start,
        "quarters_start": quarters_start,
        "days_start": days_start,
        "days_end": days_end,
        **_columns(_spans(days_start, days_end, _SPANS)),
        "quarters_end": quarters_end,
        "end": period.end,
        "short": period.length < LONGEST,
    }


def _spans(start: datetime, end: datetime, spans: Sequence[int]) -> list[_Spans]:
    if start == end or not spans:
        return []
    first, last = whole(start, end, spans[0] * DAY)
    if first == last:
        return _spans(start, end, spans[1:])
    before, behind = _spans(start, first, spans[1:]), _spans(last, end, spans[1:])
    return [*before, (spans[0], first, last), *behind]


def _columns(spans: Sequence[_Spans]) -> dict[str, Any]:
    return {
        "span_days": [days for days, _, _ in spans],
        "span_starts": [start for _, start, _ in spans],
        "span_ends": [end for _, _, end in spans],
    }
