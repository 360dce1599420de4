"""Why an answer has changed since an earlier one: the difference in parts.

See docs/read/programs/citations.md#why-a-number-has-changed.

One answer becomes the other in steps of a fixed order: first the hits that came in between, by how they came, then the
decisions in the order of the journal. What a step changes is its part. The parts of every figure add up by
construction, also those of medians and rates, which are no sums.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise

from attrs import frozen

from footfall.domain.tracking.hit import Hit

# A hit is late when it arrives so long after its time.
LATE = timedelta(minutes=5)

Number = int | float
# The name of a row of an answer, such as the value of a breakdown; an answer of one row has the empty name.
Key = tuple[str, ...]
# The figures of an answer by row and name. A row that is not there counts as zeros, and a figure that is None, such as
# a percentile without samples, as zero, too.
Figures = Mapping[Key, Mapping[str, Number | None]]


class Origin(StrEnum):
    """The way of a hit into the log, and what is reported of pages; parts are in this order."""

    IN_TIME = "events"
    LATE = "late_events"
    IMPORT = "imports"
    ENGAGEMENT = "engagement"


@frozen
class Arrivals:
    """Hits that came after the positions of a state and count in it nevertheless: some origins, up to a position."""

    origins: frozenset[Origin]
    until: int


@frozen
class ChangedRow:
    """A row that differs between two answers, or in between, with what each step added to its figures."""

    key: Key
    before: Mapping[str, Number | None]
    after: Mapping[str, Number | None]
    parts: Sequence[Mapping[str, Number]]


def origin_of(hit: Hit, *, imported: bool) -> Origin:
    """Return how a hit came into the log."""
    if imported:
        return Origin.IMPORT
    return Origin.LATE if hit.received_at - hit.occurred_at > LATE else Origin.IN_TIME


def changed_rows(states: Sequence[Figures]) -> list[ChangedRow]:
    """Return the rows in which some states differ, those with the largest difference of the first figure first.

    The row of a report that has one only is always there.

    The first state is the earlier answer, the last one the later, and between two neighbours lies one step.
    """
    keys = dict.fromkeys(key for state in states for key in state)
    courses = ((key, [state.get(key, {}) for state in states]) for key in keys)
    rows = [
        _row(key, course) for key, course in courses if not key or any(state != course[0] for state in course)
    ]
    changed = [row for row in rows if not row.key or any(any(part.values()) for part in row.parts)]
    return sorted(changed, key=lambda row: (-_extent(row), row.key))


def _row(key: Key, states: Sequence[Mapping[str, Number | None]]) -> ChangedRow:
    names = list(dict.fromkeys(name for state in states for name in state))
    full = [{name: state.get(name, 0) for name in names} for state in states]
    parts = [
        {name: _difference(old[name] or 0, new[name] or 0) for name in names} for old, new in pairwise(full)
    ]
    return ChangedRow(key, full[0], full[-1], parts)


def _difference(old: Number, new: Number) -> Number:
    # Most figures of most rows are equal, which is cheap to see.
    if old == new or (isinstance(old, int) and isinstance(new, int)):
        return new - old
    # The difference of the decimals that are shown, so that these add up.
    return float(Decimal(str(new)) - Decimal(str(old)))


def _extent(row: ChangedRow) -> Number:
    first = next(iter(row.after))
    return abs(_difference(row.before[first] or 0, row.after[first] or 0))
