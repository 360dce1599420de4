"""Aggregation of reported exceptions by message (docs/errors.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.error_tracking.occurrence import Occurrence, error_message, occurrence
from footfall.domain.percentage import percentage
from footfall.domain.periods.buckets import BucketSize, bucket_finder, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

# Visitors still run the old code for some minutes after an error is resolved.
GRACE = timedelta(minutes=10)
# The attributes of a hit that a list of occurrences is searched in.
SEARCHED_OF_OCCURRENCES = ("pathname", "browser", "operating_system")


class ErrorStatus(StrEnum):
    """The status of an error."""

    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"


@frozen(kw_only=True)
class ErrorSummary:
    """The occurrences of one message.

    `count` and `session_count` cover the period and the sessions that the filters select, `total` counts the
    occurrences of all messages there. `error_name` (the class of the latest occurrence), `first_seen`, `last_seen`
    and `status` cover the site's whole history; with filters, `last_seen` is the latest counted occurrence.
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
    """The number of occurrences in a bucket; `time` is the instant at which the bucket begins."""

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

    `hits` belong to one site; `resolutions` give the time at which each message was last marked as resolved.
    Messages compare by their code points.
    """
    filters = tuple(filters)
    found = list(occurrences_in(select_visits(hits, period, filters), period))
    latest = _last_times(found) if filters else {}
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
            last_seen=latest.get(message, history.last_seen),
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
    hits: Iterable[RecordedHit],
    message: str,
    period: Period,
    *,
    filters: Iterable[Filter] = (),
    choice: RowChoice = EVERY_ROW,
) -> list[Occurrence]:
    """Return the chosen occurrences of exactly this message: newest first, ties by the higher position.

    They are searched in the path of their page, the browser and the operating system.
    """
    found = occurrences_in(select_visits(hits, period, filters), period)
    matching = [
        one
        for one in found
        if one.details.message == message
        and choice.is_in(*(getattr(one.hit, name) for name in SEARCHED_OF_OCCURRENCES))
    ]
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
        Invalid: there would be more than 2,000 buckets; the error names `bucket`.

    """
    buckets = split_into_buckets(period, size, zone)
    find = bucket_finder(buckets)
    errors = (
        one.hit
        for visit in select_visits(hits, period, filters)
        for one in _errors(hits_in_period(visit, period))
    )
    counts = Counter(find(hit.occurred_at) for hit in errors if message in (None, error_message(hit)))
    return [ErrorBucket(bucket.time, counts[index]) for index, bucket in enumerate(buckets)]


def error_status(last_seen: datetime, resolved_at: datetime | None) -> ErrorStatus:
    """Return the status of an error by its latest occurrence and its latest resolution.

    An error has regressed when it occurs more than ten minutes after its resolution; the time of its report does not
    count.
    """
    if resolved_at is None:
        return ErrorStatus.OPEN
    return ErrorStatus.REGRESSED if last_seen > resolved_at + GRACE else ErrorStatus.RESOLVED


def occurrences_in(visits: Iterable[Visit], period: Period) -> Iterator[Occurrence]:
    """Return the occurrences in a period of visits."""
    return (
        occurrence(one, visit.session) for visit in visits for one in _errors(hits_in_period(visit, period))
    )


def _last_times(found: Iterable[Occurrence]) -> dict[str, datetime]:
    times: dict[str, datetime] = {}
    for one in found:
        message, at = one.details.message, one.hit.occurred_at
        times[message] = max(at, times.get(message, at))
    return times


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
