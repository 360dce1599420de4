"""Lists of sessions, the newest first, and places in them (docs/read/visits.md)."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Self

from attrs import frozen

from footfall.domain.cohorts.cohorts import FirstVisits, all_until, first_sessions
from footfall.domain.error_tracking.fingerprint import hit_fingerprint
from footfall.domain.exceptions import Invalid
from footfall.domain.journeys.journey import JourneyQuery, takes_journey
from footfall.domain.periods.period import Period
from footfall.domain.periods.unix_time import instant_of, microseconds_of
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.conversion import SEARCHED_OF_SESSIONS
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import INACTIVITY, Session, Visit, session_text

# The attributes of a session that its readers, who are members, search lists in.
SEARCHED = (*SEARCHED_OF_SESSIONS, "referrer", "user_id")
_PLACE = re.compile(r"(-?[0-9]{1,16})-([0-7][0-9a-f]{15})")
_VISITOR = re.compile(r"[0-9a-f]{16}")


@frozen
class SessionPlace:
    """The place of a session in lists: its start, and its id among sessions that start at the same time."""

    start: datetime
    session_id: int

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the place of a session."""
        return cls(session.start, session.session_id)

    def __str__(self) -> str:
        return f"{microseconds_of(self.start)}-{session_text(self.session_id)}"


@frozen(kw_only=True)
class SessionsQuery:
    """What a list of sessions is asked.

    It has at most `most` sessions of a period that the filters and the choice select, of one visitor as reports count
    them (`counted_visitor`) if one is named, those that `journeys` counts if a journey is asked about, those that met
    an error of one of the fingerprints `errors` in the period if there are some, those that are `first` ones if these
    are asked about, and those behind a place if there is one.
    """

    period: Period
    filters: Sequence[Filter] = ()
    choice: RowChoice = EVERY_ROW
    visitor: int | None = None
    journey: JourneyQuery | None = None
    errors: tuple[str, ...] = ()
    first: FirstVisits | None = None
    after: SessionPlace | None = None
    most: int

    @property
    def span(self) -> Period:
        """The time of all hits that tell whether a session is listed."""
        return self.period if self.first is None else all_until(max(self.period.end, self.first.span.end))

    @property
    def is_plain(self) -> bool:
        """Whether the times and the visitor of a session alone tell whether it is listed.

        A session can span a period that is shorter than a pause without a hit in it.
        """
        is_narrowed = self.filters or self.choice.containing or self.journey or self.errors or self.first
        return not is_narrowed and self.period.length >= INACTIVITY


def listed_sessions(hits: Iterable[RecordedHit], query: SessionsQuery) -> list[Session]:
    """Return the sessions of a list: the latest start first, ties by higher id."""
    log = list(hits)
    first = None if query.first is None else first_sessions(query.first, log, query.filters)
    takes = None if query.journey is None else takes_journey(query.journey, query.period)
    sessions = [
        visit.session
        for visit in select_visits(log, query.period, query.filters)
        if query.visitor in (None, visit.session.counted_visitor)
        and (takes is None or takes(visit))
        and (first is None or visit.session.session_id in first)
        and (not query.errors or _has_met(query, visit))
        and query.choice.is_in(*(getattr(visit.session, name) for name in SEARCHED))
    ]
    places = {SessionPlace.of(session): session for session in sessions}
    behind = [place for place in places if query.after is None or _order(place) < _order(query.after)]
    return [places[place] for place in sorted(behind, key=_order, reverse=True)[: query.most]]


def _has_met(query: SessionsQuery, visit: Visit) -> bool:
    errors = (
        recorded.hit for recorded in hits_in_period(visit, query.period) if recorded.hit.type is HitType.ERROR
    )
    return any(hit_fingerprint(error) in query.errors for error in errors)


def parse_place(text: str | None) -> SessionPlace | None:
    """Return the place of the query parameter `cursor`.

    Raises:
        Invalid: no answer names such a place.

    """
    if text is None:
        return None
    if (match_ := _PLACE.fullmatch(text)) is None:
        raise Invalid({"cursor": ["must be the `next` of a list of sessions"]})
    return SessionPlace(instant_of(int(match_[1])), int(match_[2], 16))


def parse_visitor(text: str | None) -> int | None:
    """Return the visitor of the query parameter `visitor`, a signed number of 64 bits.

    Raises:
        Invalid: the text is not that of a visitor.

    """
    if text is None:
        return None
    if _VISITOR.fullmatch(text) is None:
        raise Invalid({"visitor": ["must be the `visitor` of a session, 16 hexadecimal digits"]})
    return int.from_bytes(bytes.fromhex(text), signed=True)


def _order(place: SessionPlace) -> tuple[datetime, int]:
    return place.start, place.session_id
