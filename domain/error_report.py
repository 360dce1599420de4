"""Errors of a site: which exceptions its visitors met, how often, and since when (decisions, section 6)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.bucket import BucketSize, bucket_finder, cut
from footfall.domain.filter import Filter
from footfall.domain.hit import HitType, RecordedHit
from footfall.domain.occurrence import Occurrence, error_message, occurrence
from footfall.domain.percentage import percentage
from footfall.domain.period import Period
from footfall.domain.selection import select, within
from footfall.domain.session import Visit

# What visitors still run when somebody calls an error resolved may well fail once more.
GRACE = timedelta(minutes=10)


class ErrorStatus(StrEnum):
    """What became of an error."""

    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"


@frozen(kw_only=True)
class ErrorSummary:
    """All occurrences of one message (interface, section 2.6).

    `count` and `session_count` are those of the period and of the sessions that the filters select, `total`
    the occurrences of all messages there. `error_name`, the class of the latest occurrence, `first_seen`,
    `last_seen` and `status` are those of the site's whole history.
    """

    message: str
    error_name: str
    count: int
    session_count: int
    total: int
    first_seen: datetime
    last_seen: datetime
    status: ErrorStatus

    @property
    def percentage(self) -> float:
        """The message's share of all occurrences, from 0 to 100, rounded to two decimals."""
        return percentage(self.count, self.total)


@frozen
class ErrorBucket:
    """How many occurrences fall into one bucket; `time` is the instant at which it begins."""

    time: datetime
    count: int


@frozen
class _History:
    error_name: str
    first_seen: datetime
    last_seen: datetime


def summarize_errors(
    hits: Sequence[RecordedHit],
    period: Period,
    *,
    filters: Iterable[Filter] = (),
    resolutions: Mapping[str, datetime] | None = None,
) -> list[ErrorSummary]:
    """Return a summary of each message that occurred in the period: most frequent first, ties by message.

    `hits` are those of one site; `resolutions` tell when a message was last called resolved. Messages
    compare by their code points.
    """
    found = list(_found(select(hits, period, filters), period))
    counts = Counter(one.details.message for one in found)
    sessions = Counter(message for message, _ in {(one.details.message, one.session_id) for one in found})
    resolved, histories = resolutions or {}, _histories(hits)
    with_histories = ((message, count, histories[message]) for message, count in counts.items())
    summaries = [
        ErrorSummary(
            message=message,
            error_name=history.error_name,
            count=count,
            session_count=sessions[message],
            total=len(found),
            first_seen=history.first_seen,
            last_seen=history.last_seen,
            status=error_status(history.last_seen, resolved.get(message)),
        )
        for message, count, history in with_histories
    ]
    return sorted(summaries, key=lambda summary: (-summary.count, summary.message))


def new_errors(summaries: Iterable[ErrorSummary], period: Period) -> list[ErrorSummary]:
    """Return the summaries of messages first seen in the period: latest first, ties by message."""
    new = sorted((one for one in summaries if one.first_seen in period), key=lambda one: one.message)
    return sorted(new, key=lambda one: one.first_seen, reverse=True)


def list_occurrences(
    hits: Iterable[RecordedHit], message: str, period: Period, *, filters: Iterable[Filter] = ()
) -> list[Occurrence]:
    """Return the occurrences of exactly this message in the period: newest first, ties by the higher position."""
    found = _found(select(hits, period, filters), period)
    matching = [one for one in found if one.details.message == message]
    return sorted(matching, key=lambda one: (one.hit.occurred_at, one.position), reverse=True)


def bucket_errors(
    hits: Iterable[RecordedHit],
    period: Period,
    size: BucketSize,
    zone: ZoneInfo,
    *,
    message: str | None = None,
    filters: Iterable[Filter] = (),
) -> list[ErrorBucket]:
    """Return the number of occurrences, of one message or of all, in every bucket of the period, ascending.

    Raises:
        Invalid: there would be more than 2,000 buckets; the fault names `bucket`.

    """
    buckets = cut(period, size, zone)
    find = bucket_finder(buckets)
    errors = (one.hit for visit in select(hits, period, filters) for one in _errors(within(visit, period)))
    counts = Counter(find(hit.occurred_at) for hit in errors if message in (None, error_message(hit)))
    return [ErrorBucket(bucket.time, counts[index]) for index, bucket in enumerate(buckets)]


def error_status(last_seen: datetime, resolved_at: datetime | None) -> ErrorStatus:
    """Return what became of an error that was last seen and last called resolved then.

    It is back when it happens more than ten minutes after it was resolved; when it is reported does not
    matter.
    """
    if resolved_at is None:
        return ErrorStatus.OPEN
    return ErrorStatus.REGRESSED if last_seen > resolved_at + GRACE else ErrorStatus.RESOLVED


def _found(visits: Iterable[Visit], period: Period) -> Iterator[Occurrence]:
    return (occurrence(one, visit.session) for visit in visits for one in _errors(within(visit, period)))


def _errors(hits: Iterable[RecordedHit]) -> Iterator[RecordedHit]:
    return (recorded for recorded in hits if recorded.hit.type is HitType.ERROR)


def _histories(hits: Iterable[RecordedHit]) -> dict[str, _History]:
    by_time = sorted(_errors(hits), key=lambda recorded: (recorded.hit.occurred_at, recorded.position))
    histories: dict[str, _History] = {}
    for hit in (recorded.hit for recorded in by_time):
        message, at = error_message(hit), hit.occurred_at
        first_seen = histories[message].first_seen if message in histories else at
        histories[message] = _History(hit.event_name or "", first_seen, at)
    return histories
