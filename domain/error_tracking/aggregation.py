"""Aggregation of reported exceptions by message (docs/errors/errors.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.error_tracking.fingerprint import hit_fingerprint
from footfall.domain.error_tracking.occurrence import Occurrence, error_message, occurrence_of
from footfall.domain.percentage import percentage
from footfall.domain.periods.buckets import BucketSize, bucket_finder, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

# The attributes of a hit that a list of occurrences is searched in.
SEARCHED_OF_OCCURRENCES = ("pathname", "browser", "operating_system")


@frozen(kw_only=True)
class ErrorSummary:
    """The occurrences of one message.

    `count` and `session_count` cover the period and the sessions that the filters select, `total` counts the
    occurrences of all messages there. `error_name` and `fingerprint` (the class and the cause of the latest
    occurrence), `first_seen` and `last_seen` cover the site's whole history; with filters, `last_seen` is the latest
    counted occurrence. `fingerprint` is None as long as a store has not told the causes of its errors apart.
    """

    message: str
    error_name: str
    count: int
    session_count: int
    total: int
    first_seen: datetime
    last_seen: datetime
    fingerprint: str | None

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
    first_seen: datetime
    latest: Hit


def summarize_errors(
    hits: Sequence[RecordedHit],
    period: Period,
    *,
    filters: Iterable[Filter] = (),
) -> list[ErrorSummary]:
    """Return a summary of each message that occurred in the period: most frequent first, ties by message.

    `hits` belong to one site. Messages compare by their code points.
    """
    filters = tuple(filters)
    occurrences = list(occurrences_in(select_visits(hits, period, filters), period))
    latest = _last_times(occurrences) if filters else {}
    counts = Counter(occurrence.details.message for occurrence in occurrences)
    pairs = {(occurrence.details.message, occurrence.session_id) for occurrence in occurrences}
    sessions = Counter(message for message, _ in pairs)
    histories = _histories(hits)
    with_histories = ((message, count, histories[message]) for message, count in counts.items())
    summaries = [
        ErrorSummary(
            message=message,
            error_name=history.latest.event_name or "",
            count=count,
            session_count=sessions[message],
            total=len(occurrences),
            first_seen=history.first_seen,
            last_seen=latest.get(message, history.latest.occurred_at),
            fingerprint=hit_fingerprint(history.latest),
        )
        for message, count, history in with_histories
    ]
    return sorted(summaries, key=lambda summary: (-summary.count, summary.message))


def new_errors(summaries: Iterable[ErrorSummary], period: Period) -> list[ErrorSummary]:
    """Return the summaries of messages first seen in the period: latest first, ties by message."""
    new = [summary for summary in summaries if summary.first_seen in period]
    return sorted(sorted(new, key=attrgetter("message")), key=attrgetter("first_seen"), reverse=True)


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
    occurrences = occurrences_in(select_visits(hits, period, filters), period)
    matching = [
        occurrence
        for occurrence in occurrences
        if occurrence.details.message == message
        and choice.is_in(*(getattr(occurrence.hit, name) for name in SEARCHED_OF_OCCURRENCES))
    ]
    return sorted(matching, key=attrgetter("moment"), reverse=True)


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
        recorded.hit
        for visit in select_visits(hits, period, filters)
        for recorded in _errors(hits_in_period(visit, period))
    )
    counts = Counter(find(hit.occurred_at) for hit in errors if message in (None, error_message(hit)))
    return [ErrorBucket(bucket.time, counts[index]) for index, bucket in enumerate(buckets)]


def occurrences_in(visits: Iterable[Visit], period: Period) -> Iterator[Occurrence]:
    """Return the occurrences in a period of visits."""
    return (
        occurrence_of(recorded, visit.session)
        for visit in visits
        for recorded in _errors(hits_in_period(visit, period))
    )


def _last_times(occurrences: Iterable[Occurrence]) -> dict[str, datetime]:
    times: dict[str, datetime] = {}
    for occurrence in occurrences:
        message, at = occurrence.details.message, occurrence.hit.occurred_at
        times[message] = max(at, times.get(message, at))
    return times


def _errors(hits: Iterable[RecordedHit]) -> Iterator[RecordedHit]:
    return (recorded for recorded in hits if recorded.hit.type is HitType.ERROR)


def _histories(hits: Iterable[RecordedHit]) -> dict[str, _History]:
    by_time = sorted(_errors(hits), key=attrgetter("moment"))
    histories: dict[str, _History] = {}
    for hit in (recorded.hit for recorded in by_time):
        message, at = error_message(hit), hit.occurred_at
        first_seen = histories[message].first_seen if message in histories else at
        histories[message] = _History(first_seen, hit)
    return histories
