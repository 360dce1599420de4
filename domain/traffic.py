"""Traffic: how much happened on a site, as a whole and over time."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.bucket import BucketSize, bucket_finder, cut
from footfall.domain.filter import Filter
from footfall.domain.hit import Hit, HitType, RecordedHit
from footfall.domain.period import Period
from footfall.domain.selection import select, within
from footfall.domain.session import Session


@frozen(kw_only=True)
class Traffic:
    """What happened in some stretch of time.

    `sessions` and `visitors` are those with a hit of any type in it; `pageviews` and `events` are the hits
    in it, `events` the custom ones. `bounces` and `seconds` belong to the sessions as a whole: how many of
    them are one pageview and no other hit, and how long they last together, each in whole seconds.
    """

    sessions: int = 0
    visitors: int = 0
    pageviews: int = 0
    events: int = 0
    bounces: int = 0
    seconds: int = 0

    @property
    def bounce_rate(self) -> float:
        """The bounces by the sessions, not rounded, from 0 to 1; 0 when there were no sessions."""
        return self.bounces / self.sessions if self.sessions else 0.0

    @property
    def average_session_duration(self) -> float:
        """The mean length of a session in seconds, not rounded; 0 when there were no sessions."""
        return self.seconds / self.sessions if self.sessions else 0.0


@frozen
class TrafficPoint:
    """The traffic of one bucket; `time` is the instant at which the bucket begins."""

    time: datetime
    traffic: Traffic


_Piece = tuple[Session, Sequence[Hit]]


def overview(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> Traffic:
    """Return the traffic of the period, of the sessions that the filters select, from the hits of one site."""
    selected = select(hits, period, filters)
    return _sum_up([(visit.session, [one.hit for one in within(visit, period)]) for visit in selected])


def timeseries(
    hits: Iterable[RecordedHit],
    period: Period,
    size: BucketSize,
    zone: ZoneInfo,
    filters: Iterable[Filter] = (),
) -> list[TrafficPoint]:
    """Return the traffic of every bucket of the period, ascending; a session is in each one that it has a hit in.

    Raises:
        Invalid: there would be more than 2,000 buckets; the fault names `bucket`.

    """
    buckets = cut(period, size, zone)
    find = bucket_finder(buckets)
    pieces: list[list[_Piece]] = [[] for _ in buckets]
    for visit in select(hits, period, filters):
        by_bucket: dict[int, list[Hit]] = {}
        for recorded in within(visit, period):
            by_bucket.setdefault(find(recorded.hit.occurred_at), []).append(recorded.hit)
        for index, in_bucket in by_bucket.items():
            pieces[index].append((visit.session, in_bucket))
    return [
        TrafficPoint(bucket.time, _sum_up(inside)) for bucket, inside in zip(buckets, pieces, strict=True)
    ]


def _sum_up(pieces: Iterable[_Piece]) -> Traffic:
    sessions, kinds = list[Session](), list[HitType]()
    for session, hits in pieces:
        sessions.append(session)
        kinds += [hit.type for hit in hits]
    return Traffic(
        sessions=len(sessions),
        visitors=len({session.visitor_id for session in sessions}),
        pageviews=kinds.count(HitType.PAGEVIEW),
        events=kinds.count(HitType.CUSTOM_EVENT),
        bounces=sum(session.bounced for session in sessions),
        seconds=sum(session.duration for session in sessions),
    )
