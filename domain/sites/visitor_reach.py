"""How far a visitor is recognized: the spans of time after which a visitor gets another number.

See docs/track/enrichment.md.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from attrs import frozen

_DAY = timedelta(days=1)


class VisitorReach(StrEnum):
    """The span of UTC in which a visitor of a site keeps a number."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    FOREVER = "forever"


# How many days a visitor can be followed at most; 0 stands for no longer than one day.
DAYS: Mapping[VisitorReach, int] = MappingProxyType(
    {VisitorReach.DAY: 0, VisitorReach.WEEK: 7, VisitorReach.MONTH: 31, VisitorReach.YEAR: 366}
)


@frozen(cache_hash=True)
class ReachSpan:
    """A day, a week from its Monday, a month or a year, with its first day and the moment at which it is over."""

    reach: VisitorReach
    first: date
    ends_at: datetime

    @property
    def name(self) -> str:
        """The name of the span among all spans."""
        return f"{self.reach} {self.first}"


def span_of(reach: VisitorReach, at: datetime) -> ReachSpan | None:
    """Return the span in which a moment lies; None where visitors are recognized forever."""
    return None if reach is VisitorReach.FOREVER else _span(reach, at.astimezone(UTC).date())


# Each event asks for the span of its day.
@lru_cache(maxsize=1_024)
def _span(reach: VisitorReach, day: date) -> ReachSpan:
    match reach:
        case VisitorReach.DAY:
            first, following = day, day + _DAY
        case VisitorReach.WEEK:
            first = day - day.weekday() * _DAY
            following = first + 7 * _DAY
        case VisitorReach.MONTH:
            first = day.replace(day=1)
            following = (first + 31 * _DAY).replace(day=1)
        case _:
            first = day.replace(month=1, day=1)
            following = first.replace(year=first.year + 1)
    return ReachSpan(reach, first, datetime(following.year, following.month, following.day, tzinfo=UTC))


def import_salt(span: ReachSpan | None) -> bytes:
    """Return what tells a visitor's spans apart in imports, which have no random salt and make the same hits again.

    Days are written as in the imports of former versions.
    """
    if span is None:
        return b""
    return (str(span.first) if span.reach is VisitorReach.DAY else span.name).encode()


@frozen
class ReachHistory:
    """How far a site recognized visitors from its registration on, and from each change on.

    What happened before the registration was imported, under any of the settings.
    """

    changes: tuple[tuple[datetime, VisitorReach], ...]

    def then(self, at: datetime, reach: VisitorReach) -> "ReachHistory":
        """Return the history with the setting from a moment on."""
        latest, before = self.changes[-1]
        return self if reach is before else ReachHistory((*self.changes, (max(at, latest), reach)))

    def new_ids_within(self, start: datetime, end: datetime) -> datetime | None:
        """Return the first moment after a start, and before an end, from which visitors have other ids.

        None means that a visitor has one id in all of the time.
        """
        registered = self.changes[0][0]
        edges = [start, *(at for at, _ in self.changes if start < at < end), end]
        for since, until in pairwise(edges):
            spans = [span_of(reach, since) for reach in self._in_force(since)]
            ends = [span.ends_at for span in spans if span is not None and span.ends_at < until]
            if ends:
                return min(ends)
            if until not in (end, registered):
                return until
        return None

    @property
    def is_limited(self) -> bool:
        """Whether the site ever recognized visitors for a time only."""
        return any(reach is not VisitorReach.FOREVER for _, reach in self.changes)

    def spans_of(self, day: date, *, is_imported: bool) -> set[ReachSpan]:
        """Return the spans whose salts the hits of a day can have; imports came under any of the settings."""
        start = datetime(day.year, day.month, day.day, tzinfo=UTC)
        within = [reach for at, reach in self.changes if is_imported or start <= at < start + _DAY]
        registered = self.changes[0][0]
        first = registered if start <= registered < start + _DAY else start
        return {
            span for reach in (*within, *self._in_force(first)) if (span := span_of(reach, start)) is not None
        }

    def _in_force(self, at: datetime) -> set[VisitorReach]:
        if at < self.changes[0][0]:
            return {reach for _, reach in self.changes}
        return {[reach for since, reach in self.changes if since <= at][-1]}


def reach_fault(reach: VisitorReach, days: int | None) -> str | None:
    """Return why visitors cannot be followed for some days on a site, or None; without days they are not followed."""
    most = DAYS.get(reach)
    if days is None or most is None or days <= most:
        return None
    if reach is VisitorReach.DAY:
        return (
            "cannot be used on this site, whose visitor IDs rotate daily (saltUserIds): a visitor is a new one on the"
            " next day. Leave it out to count within sessions"
        )
    return (
        f"must be at most {most} on this site, whose visitors are recognized within a {reach} (visitorReach)"
    )
