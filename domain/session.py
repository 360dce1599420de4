"""A session: what one visitor does on one site without a long pause (decisions, section 2)."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import define, field, frozen

from footfall.domain.hit import DeviceType, HitType, RecordedHit, visitor_text

# Consecutive hits of a session are at most so far apart, and its first and its last.
INACTIVITY = timedelta(minutes=30)
LONGEST = timedelta(hours=24)

# What a session takes over from its first hit, under the same names.
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
    """A visitor's hits on a site in one stretch, summed up (interface, section 2.2).

    `session_id` is the position of the hit that began the session in the log. `start` and `end` are the
    times of the earliest and the latest hit. Geography, device, referrer, channel and the like are those of
    the earliest hit, `entry_page` and `exit_page` the paths of the earliest and the latest pageview,
    `user_id` is the latest one given, else the visitor's text. Of two hits at the same time the one earlier
    in the log is the earlier. The last five are numbers of hits by type.
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
    def hits(self) -> int:
        """How many hits of any type the session has."""
        counters = (self.custom_events, self.performance_measures, self.outbound_clicks, self.errors)
        return self.pageviews + sum(counters)

    @property
    def duration(self) -> int:
        """The span between start and end in whole seconds."""
        return (self.end - self.start) // timedelta(seconds=1)

    @property
    def bounced(self) -> bool:
        """Whether the session is one pageview and no other hit."""
        return self.pageviews == 1 and self.hits == 1


@frozen
class Visit:
    """A session together with its hits, in the order of the log."""

    session: Session
    hits: tuple[RecordedHit, ...]


def sessionize(hits: Iterable[RecordedHit]) -> list[Session]:
    """Return the sessions that hits form, by session id; see `visits`."""
    return [visit.session for visit in visits(hits)]


def session_ids(hits: Iterable[RecordedHit]) -> dict[int, int]:
    """Return the id of the session that each hit belongs to, by the hit's position."""
    return {hit.position: visit.session.session_id for visit in visits(hits) for hit in visit.hits}


def visits(hits: Iterable[RecordedHit]) -> list[Visit]:
    """Return the sessions that hits form, each with its hits, by session id.

    Each visitor's hits are folded in the order of the log, whatever their times are. The visitor's latest
    session is the one that began last in that order, which is also the one that the visitor's preceding hit
    belongs to: no other ever gets another hit. So a fold needs to remember one session a visitor, and may
    stop and go on anywhere.
    """
    stretches: list[_Stretch] = []
    latest: dict[tuple[int, int], _Stretch] = {}
    for recorded in sorted(hits, key=lambda recorded: recorded.position):
        visitor = (recorded.hit.site_id, recorded.hit.visitor_id)
        at = recorded.hit.occurred_at
        stretch = latest.get(visitor)
        if stretch is None or not joins(stretch.start, stretch.end, at):
            stretch = latest[visitor] = _Stretch(at, at)
            stretches.append(stretch)
        stretch.add(recorded)
    return [Visit(_sum_up(stretch), tuple(stretch.hits)) for stretch in stretches]


def joins(start: datetime, end: datetime, at: datetime) -> bool:
    """Whether a hit at this time joins its visitor's latest session, that is from `start` to `end` so far."""
    near = start - INACTIVITY <= at <= end + INACTIVITY
    return near and max(end, at) - min(start, at) <= LONGEST


def session_text(session_id: int) -> str:
    """Return a session's id as answers show it: 16 hexadecimal digits, which sort as the ids do."""
    return f"{session_id:016x}"


@define
class _Stretch:
    start: datetime
    end: datetime
    hits: list[RecordedHit] = field(factory=list)

    def add(self, recorded: RecordedHit) -> None:
        self.start = min(self.start, recorded.hit.occurred_at)
        self.end = max(self.end, recorded.hit.occurred_at)
        self.hits.append(recorded)


def _sum_up(stretch: _Stretch) -> Session:
    by_time = sorted(stretch.hits, key=lambda recorded: (recorded.hit.occurred_at, recorded.position))
    hits = [recorded.hit for recorded in by_time]
    first = hits[0]
    paths = [hit.pathname for hit in hits if hit.type is HitType.PAGEVIEW]
    given = [hit.user_id for hit in hits if hit.user_id is not None]
    numbers = Counter(hit.type for hit in hits)
    return Session(
        session_id=stretch.hits[0].position,
        site_id=first.site_id,
        visitor_id=first.visitor_id,
        user_id=given[-1] if given else visitor_text(first.visitor_id),
        start=stretch.start,
        end=stretch.end,
        entry_page=paths[0] if paths else None,
        exit_page=paths[-1] if paths else None,
        pageviews=numbers[HitType.PAGEVIEW],
        custom_events=numbers[HitType.CUSTOM_EVENT],
        performance_measures=numbers[HitType.PERFORMANCE],
        outbound_clicks=numbers[HitType.OUTBOUND],
        errors=numbers[HitType.ERROR],
        **{name: getattr(first, name) for name in FIRST_HIT_ATTRIBUTES},
    )
