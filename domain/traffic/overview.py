"""Traffic of a site: totals of a period and its course over time."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.periods.buckets import BucketSize, bucket_finder, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Session, Visit


@frozen(kw_only=True)
class Traffic:
    """The totals of a stretch of time.

    `sessions` and `visitors` have a hit of any type in it; `pageviews` and `events` (custom events) are hits in it.
    The others describe the sessions as a whole, hits outside the stretch included: the sessions with a
    pageview, the bounces, and the sum of the durations, each in whole seconds; and the sessions of whose pages it was
    reported how long they were looked at, with the sum of it.
    """

    sessions: int = 0
    visitors: int = 0
    pageviews: int = 0
    events: int = 0
    sessions_with_pageviews: int = 0
    bounces: int = 0
    seconds: int = 0
    engaged_sessions: int = 0
    engaged_ms: int = 0

    @property
    def bounce_rate(self) -> float:
        """Bounces by sessions with a pageview, not rounded, from 0 to 1; 0 without such sessions."""
        return self.bounces / self.sessions_with_pageviews if self.sessions_with_pageviews else 0.0

    @property
    def average_session_duration(self) -> float:
        """The mean duration of a session in seconds, not rounded; 0 without sessions."""
        return self.seconds / self.sessions if self.sessions else 0.0

    @property
    def engaged_time(self) -> float | None:
        """The mean time for which the pages of a session were looked at, in seconds, not rounded.

        Sessions of which nothing was reported are left out; None when there is no other.
        """
        return self.engaged_ms / 1000 / self.engaged_sessions if self.engaged_sessions else None


@frozen
class TrafficPoint:
    """The traffic of a bucket; `time` is the instant at which the bucket begins."""

    time: datetime
    traffic: Traffic


_Piece = tuple[Visit, Sequence[Hit]]


def data_since(hits: Iterable[RecordedHit]) -> datetime | None:
    """Return the time of the earliest stored hit of one site; None without hits.

    Only that hit decides: an erasure of others, by retention or with an import, changes nothing.
    """
    return min((recorded.hit.occurred_at for recorded in hits), default=None)


def imported(hits: Iterable[RecordedHit]) -> Period | None:
    """Return the time from the first to the last stored hit of one import; None without hits."""
    times = [recorded.hit.occurred_at for recorded in hits]
    return Period(min(times), max(times) + timedelta(microseconds=1)) if times else None


def overview(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> Traffic:
    """Return the traffic of the sessions that the filters select in the period, from the hits of one site."""
    selected = select_visits(hits, period, filters)
    return _sum_up(
        [(visit, [recorded.hit for recorded in hits_in_period(visit, period)]) for visit in selected]
    )


def timeseries(
    hits: Iterable[RecordedHit],
    period: Period,
    size: BucketSize,
    zone: ZoneInfo,
    filters: Iterable[Filter] = (),
) -> list[TrafficPoint]:
    """Return the traffic of every bucket of the period, ascending.

    A session counts in each bucket that contains one of its hits.

    Raises:
        Invalid: there would be more than 2,000 buckets; the error names `bucket`.

    """
    buckets = split_into_buckets(period, size, zone)
    find = bucket_finder(buckets)
    pieces: list[list[_Piece]] = [[] for _ in buckets]
    for visit in select_visits(hits, period, filters):
        by_bucket: dict[int, list[Hit]] = {}
        for recorded in hits_in_period(visit, period):
            by_bucket.setdefault(find(recorded.hit.occurred_at), []).append(recorded.hit)
        for index, in_bucket in by_bucket.items():
            pieces[index].append((visit, in_bucket))
    return [
        TrafficPoint(bucket.time, _sum_up(inside)) for bucket, inside in zip(buckets, pieces, strict=True)
    ]


def _sum_up(pieces: Iterable[_Piece]) -> Traffic:
    sessions, kinds, engaged = list[Session](), list[HitType](), list[int]()
    for visit, hits in pieces:
        sessions.append(visit.session)
        kinds += [hit.type for hit in hits]
        engaged += engaged_of(visit)
    return Traffic(
        sessions=len(sessions),
        visitors=len({session.counted_visitor for session in sessions}),
        pageviews=kinds.count(HitType.PAGEVIEW),
        events=kinds.count(HitType.CUSTOM_EVENT),
        sessions_with_pageviews=sum(session.pageviews > 0 for session in sessions),
        bounces=sum(session.bounced for session in sessions),
        seconds=sum(session.duration for session in sessions),
        engaged_sessions=len(engaged),
        engaged_ms=sum(engaged),
    )


def engaged_of(visit: Visit) -> list[int]:
    """Return how long the pages of a session were looked at; nothing where none of them reported it."""
    reported = [hit.engagement.engaged_ms for hit in visit.hits if hit.engagement is not None]
    times = [milliseconds for milliseconds in reported if milliseconds is not None]
    return [sum(times)] if times else []
