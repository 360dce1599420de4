"""Engagement: how long a page was looked at and how far it was scrolled, as measures that name their pageview.

A measure is no hit: it begins, prolongs and joins no session (docs/track/engagement.md).
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from attrs import evolve, frozen

from footfall.domain.tracking.hit import Engagement, RecordedHit, hot_value

# A measure counts for the pageviews of its name that were received at most this long before or after it.
MATCHING_SPAN = timedelta(days=7)
# So many measures of a pageview count, in the order of the log.
MOST_MEASURES = 500
MOST_ENGAGED_MS = 86_400_000
MOST_SCROLL_PERCENT = 100

# The last bits of the key of a pageview without a name are its time, in parts of a second, over and over.
# They begin anew after 48 days: two months of the log, which hold the span before a report, have no time twice.
TIME_BITS = 27
TICKS = 32
NAMELESS_SPAN = timedelta(days=6)

# Separates these digests from visitor hashes, which have the same key.
_PERSON = b"pageview"


class MeasureType(StrEnum):
    """The type of a tracked message that brings a measure and no hit."""

    ENGAGEMENT = "engagement"


@hot_value(kw_only=True)
class Measure:
    """What a page reports of one of its pageviews: totals since the pageview, at least one of both.

    `pageview_key` stands for the name of the pageview (`pageview_key`).
    """

    site_id: int
    pageview_key: int
    received_at: datetime
    engaged_ms: int | None = None
    scroll_percent: int | None = None


@hot_value(kw_only=True)
class EngagementReport(Measure):
    """A measure whose time is that since the last report of the pageview; the store adds them up in its order."""

    def after(self, engaged_ms: int) -> Measure:
        """Return the total after the time that was reported so far."""
        total = None if self.engaged_ms is None else min(engaged_ms + self.engaged_ms, MOST_ENGAGED_MS)
        return Measure(
            site_id=self.site_id,
            pageview_key=self.pageview_key,
            received_at=self.received_at,
            engaged_ms=total,
            scroll_percent=self.scroll_percent,
        )


@frozen
class RecordedMeasure:
    """A measure with its place in the traffic log, whose positions hits and measures share."""

    position: int
    measure: Measure


def pageview_key(secret: bytes, *, site_id: int, name: str) -> int:
    """Return 64 bits, signed, that stand for the name of a pageview of a site.

    They are keyed with the server's secret: a name may be an order or an address, which can be guessed from an unkeyed
    digest.
    """
    digest = _begun(secret, site_id).copy()
    digest.update(name.encode())
    return int.from_bytes(digest.digest(), signed=True)


@frozen
class NamelessPages:
    """The keys of the pageviews of one page by one visitor, for pages that name none of their pageviews.

    They begin with a digest of both and end with the time of the pageview, so that the newest one is found by its key.
    """

    _first: int

    @classmethod
    def of(
        cls, secret: bytes, *, site_id: int, visitor_id: int, hostname: str | None, pathname: str | None
    ) -> "NamelessPages":
        """Return the keys of a page; host and path as they are stored."""
        name = f"{visitor_id} {hostname or ''} {pathname or ''}"
        digest = pageview_key(secret, site_id=site_id, name=name)
        return cls(digest >> TIME_BITS << TIME_BITS)

    def key(self, at: datetime) -> int:
        """Return the key of a pageview at a time."""
        return self._first | int(at.timestamp() * TICKS) % (1 << TIME_BITS)

    def latest_first(self, since: datetime, until: datetime) -> tuple[range, range]:
        """Return the keys of a span of less than 48 days: in each range the greatest one is the latest."""
        oldest, newest = self.key(since), self.key(until) + 1
        if oldest < newest:
            return range(oldest, newest), range(0)
        return range(self._first, newest), range(oldest, self._first + (1 << TIME_BITS))


def added_up(measures: Iterable[Measure], times: MutableMapping[tuple[int, int], int]) -> Iterator[Measure]:
    """Give measures in the order in which they are stored, with the totals of reports.

    `times` has the greatest time that was stored of each pageview, by site and key, and is kept up.
    """
    for measure in measures:
        pageview = measure.site_id, measure.pageview_key
        engaged_ms = times.get(pageview, 0)
        total = measure.after(engaged_ms) if isinstance(measure, EngagementReport) else measure
        times[pageview] = max(engaged_ms, total.engaged_ms or 0)
        yield total


# Copying the state that all names of a site share costs less than a new hash; each state takes 400 bytes.
@lru_cache(maxsize=1_024)
def _begun(secret: bytes, site_id: int) -> "hashlib.blake2b":
    return hashlib.blake2b(f"{site_id} ".encode(), digest_size=8, key=secret[:64], person=_PERSON)


def with_engagement(hits: Iterable[RecordedHit], measures: Iterable[RecordedMeasure]) -> list[RecordedHit]:
    """Return hits, each pageview with what is known of its engagement, whichever was stored first.

    A measure counts for the pageviews of its site and name that were received at most `MATCHING_SPAN` apart from it,
    and of one pageview the first `MOST_MEASURES` count. So its order among others, repetitions and lost measures
    change nothing but what nothing was told of.
    """
    named: dict[tuple[int, int], list[RecordedMeasure]] = defaultdict(list)
    for recorded in sorted(measures, key=lambda measure: measure.position):
        named[recorded.measure.site_id, recorded.measure.pageview_key].append(recorded)
    return [_measured(recorded, named) if named else recorded for recorded in hits]


def _measured(recorded: RecordedHit, named: Mapping[tuple[int, int], list[RecordedMeasure]]) -> RecordedHit:
    hit = recorded.hit
    if hit.pageview_key is None:
        return recorded
    own = [
        recorded.measure
        for recorded in named.get((hit.site_id, hit.pageview_key), ())
        if abs(recorded.measure.received_at - hit.received_at) <= MATCHING_SPAN
    ][:MOST_MEASURES]
    return evolve(recorded, engagement=_greatest(own)) if own else recorded


def _greatest(measures: Sequence[Measure]) -> Engagement:
    return Engagement(
        max((measure.engaged_ms for measure in measures if measure.engaged_ms is not None), default=None),
        max(
            (measure.scroll_percent for measure in measures if measure.scroll_percent is not None),
            default=None,
        ),
    )
