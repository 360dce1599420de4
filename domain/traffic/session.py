"""Sessions: the hits of a visitor on a site without a long pause (docs/reports.md#sessions)."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import define, field, frozen

from footfall.domain.tracking.hit import DeviceType, HitType, RecordedHit, visitor_text
from footfall.domain.tracking.referrer import referrer_host

# The longest pause between consecutive hits of a session, and the longest session.
INACTIVITY = timedelta(minutes=30)
LONGEST = timedelta(hours=24)

# Attributes that a session takes from its earliest hit.
FIRST_HIT_ATTRIBUTES = (
    "hostname",
    "referrer",
    "channel",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "language",
    "browser",
    "browser_version",
    "operating_system",
    "operating_system_version",
    "device_type",
    "country",
    "region",
    "city",
)


@frozen(kw_only=True)
class Session:
    """The summary of a session's hits.

    `session_id` is the position of the hit that began the session in the log. `start` and `end` are the
    times of the earliest and the latest hit. Geography, device, referrer, channel and the like are those of
    the earliest hit, `entry_page` and `exit_page` the paths of the earliest and the latest pageview,
    `user_id` is the latest one given, else the visitor's text. Hits at the same time are ordered by their position
    in the log. The last five attributes count the hits by type.
    """

    session_id: int
    site_id: int
    visitor_id: int
    user_id: str
    start: datetime
    end: datetime
    entry_page: str | None
    exit_page: str | None
    hostname: str | None
    referrer: str | None
    channel: str | None
    utm_source: str | None
    utm_medium: str | None
    utm_campaign: str | None
    utm_term: str | None
    utm_content: str | None
    language: str | None
    browser: str | None
    browser_version: str | None
    operating_system: str | None
    operating_system_version: str | None
    device_type: DeviceType
    country: str | None
    region: str | None
    city: str | None
    pageviews: int
    custom_events: int
    performance_measures: int
    outbound_clicks: int
    errors: int

    @property
    def referrer_host(self) -> str:
        """The host of the referrer; empty without one."""
        return referrer_host(self.referrer or "")

    @property
    def hits(self) -> int:
        """The number of hits of all types."""
        counters = (self.custom_events, self.performance_measures, self.outbound_clicks, self.errors)
        return self.pageviews + sum(counters)

    @property
    def duration(self) -> int:
        """The span between start and end in whole seconds."""
        return (self.end - self.start) // timedelta(seconds=1)

    @property
    def bounced(self) -> bool:
        """Whether the session has one pageview and neither a custom event nor an outbound click.

        Performance measures and errors are no actions of the visitor and do not count.
        """
        return self.pageviews == 1 and self.custom_events + self.outbound_clicks == 0


@frozen
class Visit:
    """A session with its hits, in the order of the log."""

    session: Session
    hits: tuple[RecordedHit, ...]


def sessionize(hits: Iterable[RecordedHit]) -> list[Session]:
    """Return the sessions of the hits, by session id; see `visits`."""
    return [visit.session for visit in visits(hits)]


def session_ids(hits: Iterable[RecordedHit]) -> dict[int, int]:
    """Return the id of each hit's session, by the position of the hit."""
    return {hit.position: visit.session.session_id for visit in visits(hits) for hit in visit.hits}


def visits(hits: Iterable[RecordedHit]) -> list[Visit]:
    """Return the sessions of the hits, each with its hits, by session id.

    Each visitor's hits are folded in the order of the log, regardless of their times. Only the session of the
    visitor's preceding hit can get another hit, so a fold remembers one session per visitor and can be interrupted
    and resumed anywhere. A hit whose session is known stays in it.
    """
    opened: list[_OpenSession] = []
    latest: dict[tuple[int, int], _OpenSession] = {}
    for recorded in sorted(hits, key=lambda recorded: recorded.position):
        visitor = (recorded.hit.site_id, recorded.hit.visitor_id)
        at = recorded.hit.occurred_at
        open_session = latest.get(visitor)
        if open_session is None or not open_session.takes(recorded):
            session_id = recorded.position if recorded.session_id is None else recorded.session_id
            open_session = latest[visitor] = _OpenSession(session_id, at, at)
            opened.append(open_session)
        open_session.add(recorded)
    return [Visit(_sum_up(open_session), tuple(open_session.hits)) for open_session in opened]


def joins(start: datetime, end: datetime, at: datetime) -> bool:
    """Whether a hit at this time joins its visitor's latest session, which spans `start` to `end` so far."""
    near = start - INACTIVITY <= at <= end + INACTIVITY
    return near and max(end, at) - min(start, at) <= LONGEST


def session_text(session_id: int) -> str:
    """Return a session's id as the HTTP interface shows it: 16 hexadecimal digits, in the order of the ids."""
    return f"{session_id:016x}"


@define
class _OpenSession:
    session_id: int
    start: datetime
    end: datetime
    hits: list[RecordedHit] = field(factory=list)

    def takes(self, recorded: RecordedHit) -> bool:
        if recorded.session_id is not None:
            return recorded.session_id == self.session_id
        return joins(self.start, self.end, recorded.hit.occurred_at)

    def add(self, recorded: RecordedHit) -> None:
        self.start = min(self.start, recorded.hit.occurred_at)
        self.end = max(self.end, recorded.hit.occurred_at)
        self.hits.append(recorded)


def _sum_up(open_session: _OpenSession) -> Session:
    by_time = sorted(open_session.hits, key=lambda recorded: (recorded.hit.occurred_at, recorded.position))
    hits = [recorded.hit for recorded in by_time]
    first = hits[0]
    paths = [hit.pathname for hit in hits if hit.type is HitType.PAGEVIEW]
    given = [hit.user_id for hit in hits if hit.user_id is not None]
    numbers = Counter(hit.type for hit in hits)
    return Session(
        session_id=open_session.session_id,
        site_id=first.site_id,
        visitor_id=first.visitor_id,
        user_id=given[-1] if given else visitor_text(first.visitor_id),
        start=open_session.start,
        end=open_session.end,
        entry_page=paths[0] if paths else None,
        exit_page=paths[-1] if paths else None,
        pageviews=numbers[HitType.PAGEVIEW],
        custom_events=numbers[HitType.CUSTOM_EVENT],
        performance_measures=numbers[HitType.PERFORMANCE],
        outbound_clicks=numbers[HitType.OUTBOUND],
        errors=numbers[HitType.ERROR],
        **{name: getattr(first, name) for name in FIRST_HIT_ATTRIBUTES},
    )
