"""Sessions: the hits of a visitor on a site without a long pause (docs/read/reports.md#sessions)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby

from attrs import fields, frozen

from footfall.domain.bots.bot_names import bot_operator, bot_purpose
from footfall.domain.tracking.acquisition.referrer import referrer_host
from footfall.domain.tracking.hit import (
    CHOICES,
    BotVerification,
    DeviceType,
    Hit,
    HitType,
    LocatedBy,
    NetworkKind,
    RecordedHit,
    SentOfVisit,
    visitor_text,
)

# The longest pause between consecutive hits of a session, and the longest session that is not cut by days. Statements
# have both, too: docs/internals/where-to-find.md#rules-that-statements-repeat.
INACTIVITY = timedelta(minutes=30)
LONGEST = timedelta(hours=24)
# The form of positions by `session_text`.
_SESSION_TEXT = re.compile("[0-7][0-9a-f]{15}")


@frozen(kw_only=True)
class Session(SentOfVisit):
    """The summary of a session's hits.

    `session_id` is the least position of its hits in the log. `start` and `end` are the
    times of the earliest and the latest hit. Geography, device, referrer, channel and the like are those of
    the earliest hit, `entry_page` and `exit_page` the paths of the earliest and the latest pageview,
    `user_id` is the latest one given, else the visitor's text; `signed_visitor_id` is that of the same hit. Hits at the
    same time are ordered by their position in the log. The last five attributes count the hits by type.
    """

    session_id: int
    site_id: int
    visitor_id: int
    user_id: str
    signed_visitor_id: int | None
    start: datetime
    end: datetime
    entry_page: str | None
    exit_page: str | None
    channel: str | None
    utm_source: str | None
    utm_medium: str | None
    utm_campaign: str | None
    utm_term: str | None
    utm_content: str | None
    browser: str | None
    browser_version: str | None
    operating_system: str | None
    operating_system_version: str | None
    device_type: DeviceType
    automation: str | None
    bot: str | None
    bot_verified: BotVerification | None
    country: str | None
    region: str | None
    city: str | None
    location_source: LocatedBy | None
    network: NetworkKind | None
    autonomous_system: str | None
    pageviews: int
    custom_events: int
    performance_measures: int
    outbound_clicks: int
    errors: int

    @property
    def counted_visitor(self) -> int:
        """The visitor as reports count them: the signed user, on any number of browsers, else that of the browser."""
        return self.visitor_id if self.signed_visitor_id is None else self.signed_visitor_id

    @property
    def referrer_host(self) -> str:
        """The host of the referrer; empty without one."""
        return referrer_host(self.referrer or "")

    @property
    def bot_operator(self) -> str | None:
        """The operator of the bot, by the table of today."""
        return bot_operator(self.bot)

    @property
    def bot_purpose(self) -> str | None:
        """The purpose of the bot, by the table of today."""
        return bot_purpose(self.bot)

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


_OF_HITS = frozenset(attribute.name for attribute in fields(Hit))
# The attributes of a session that are texts, or one of a few names.
SESSION_ATTRIBUTES = tuple(
    attribute.name
    for attribute in fields(Session)
    if attribute.type in (str, str | None) or attribute.name in CHOICES
)
# A session takes these from its earliest hit: all that both have, but for the user, who is the latest one given.
FIRST_HIT_ATTRIBUTES = tuple(name for name in SESSION_ATTRIBUTES if name in _OF_HITS and name != "user_id")


@frozen
class Visit:
    """A session with its hits, in the order of their times; equal times are in the order of the log."""

    session: Session
    hits: tuple[RecordedHit, ...]


@frozen
class Mark:
    """A cut of retention through a run of hits of a visitor (docs/read/reports.md#sessions).

    No run crosses the `cutoff`, the beginning of a day in UTC. `first` and `last` are the times of the first and the
    last hit of the part that was removed.
    """

    site_id: int
    visitor_id: int
    cutoff: datetime
    first: datetime
    last: datetime

    def goes_on_in(self, start: datetime) -> bool:
        """Whether a run that starts at this time is the rest of the run that was cut."""
        return self.cutoff <= start <= self.last + INACTIVITY


@frozen
class Run:
    """Hits of a visitor on a site without a pause of more than 30 minutes, in the order of their times.

    `since` is the time from which its length counts: that of its first hit, also if retention has removed that.
    """

    hits: tuple[RecordedHit, ...]
    since: datetime

    def visits(self) -> list[Visit]:
        """Return its sessions: one, or one for each day in UTC when it is longer than 24 hours."""
        if self.hits[-1].hit.occurred_at - self.since <= LONGEST:
            return [_visit(self.hits)]
        return [
            _visit(tuple(hits))
            for _, hits in groupby(self.hits, lambda recorded: _day_of(recorded.hit.occurred_at))
        ]


def sessionize(hits: Iterable[RecordedHit]) -> list[Session]:
    """Return the sessions of the hits, by session id; see `visits`."""
    return [visit.session for visit in visits(hits)]


def session_ids(hits: Iterable[RecordedHit], marks: Iterable[Mark] = ()) -> dict[int, int]:
    """Return the id of each hit's session, by the position of the hit."""
    return {hit.position: visit.session.session_id for visit in visits(hits, marks) for hit in visit.hits}


def session_with(hits: Iterable[RecordedHit], position: int) -> Session | None:
    """Return the session that holds the hit at a position, such as the id of a session that was joined."""
    sessions = (visit.session for visit in visits(hits) for hit in visit.hits if hit.position == position)
    return next(sessions, None)


def parse_session_id(text: str) -> int | None:
    """Return the id of a session from its text; None where no session has such a text."""
    return int(text, 16) if _SESSION_TEXT.fullmatch(text) else None


def visits(hits: Iterable[RecordedHit], marks: Iterable[Mark] = ()) -> list[Visit]:
    """Return the sessions of the hits, each with its hits, by session id.

    They depend on the times of the hits; positions put equal times in order, and name the sessions. A hit belongs to
    its visitor's latest session that starts at or before its time.
    """
    unordered = [visit for run in runs(hits, marks) for visit in run.visits()]
    return sorted(unordered, key=lambda visit: visit.session.session_id)


def runs(hits: Iterable[RecordedHit], marks: Iterable[Mark] = ()) -> Iterator[Run]:
    """Return the runs of the hits, those of a visitor in the order of their times."""
    marks_of = defaultdict[tuple[int, int], list[Mark]](list)
    for mark in marks:
        marks_of[mark.site_id, mark.visitor_id].append(mark)
    ordered = sorted(hits, key=lambda recorded: (_visitor(recorded), recorded.moment))
    for visitor, own in groupby(ordered, _visitor):
        for run in _split(own, [mark.cutoff for mark in marks_of[visitor]]):
            start = run[0].hit.occurred_at
            before = (mark.first for mark in marks_of[visitor] if mark.goes_on_in(start))
            yield Run(tuple(run), min(before, default=start))


def session_text(session_id: int) -> str:
    """Return a session's id as the HTTP interface shows it: 16 hexadecimal digits, in the order of the ids."""
    return f"{session_id:016x}"


def _visitor(recorded: RecordedHit) -> tuple[int, int]:
    return recorded.hit.site_id, recorded.hit.visitor_id


def _split(hits: Iterable[RecordedHit], cutoffs: Sequence[datetime]) -> list[list[RecordedHit]]:
    """Return the hits of a visitor, which are in order, without long pauses and across no cutoff."""
    groups: list[list[RecordedHit]] = []
    last: datetime | None = None
    for recorded in hits:
        at = recorded.hit.occurred_at
        if last is None or at - last > INACTIVITY or any(last < cutoff <= at for cutoff in cutoffs):
            groups.append([])
        groups[-1].append(recorded)
        last = at
    return groups


def _day_of(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _visit(recorded_hits: tuple[RecordedHit, ...]) -> Visit:
    hits = [recorded.hit for recorded in recorded_hits]
    first = hits[0]
    paths = [hit.pathname for hit in hits if hit.type is HitType.PAGEVIEW]
    users = [hit for hit in hits if hit.user_id is not None]
    numbers = Counter(hit.type for hit in hits)
    session = Session(
        session_id=min(recorded.position for recorded in recorded_hits),
        site_id=first.site_id,
        visitor_id=first.visitor_id,
        user_id=users[-1].user_id or "" if users else visitor_text(first.visitor_id),
        signed_visitor_id=users[-1].signed_visitor_id if users else None,
        start=first.occurred_at,
        end=hits[-1].occurred_at,
        entry_page=paths[0] if paths else None,
        exit_page=paths[-1] if paths else None,
        pageviews=numbers[HitType.PAGEVIEW],
        custom_events=numbers[HitType.CUSTOM_EVENT],
        performance_measures=numbers[HitType.PERFORMANCE],
        outbound_clicks=numbers[HitType.OUTBOUND],
        errors=numbers[HitType.ERROR],
        **{name: getattr(first, name) for name in FIRST_HIT_ATTRIBUTES},
    )
    return Visit(session, recorded_hits)
