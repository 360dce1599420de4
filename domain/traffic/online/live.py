"""The last half hour of a site, minute by minute (docs/read/reports.md#live)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

MINUTE = timedelta(minutes=1)
MINUTES = 30
# The most rows of each list.
MOST = 10


@frozen
class LiveRow:
    """A value, the empty text when it is unknown, with its different visitors."""

    value: str
    visitors: int


@frozen(kw_only=True)
class Live:
    """The traffic of the last 30 minutes.

    `minutes` are the different visitors of each minute, ascending. `pages` count visitors at the path of their latest
    pageview, `sources` and `countries` those with a session of the host or the country; at most ten rows each, the
    largest first, ties by value.
    """

    visitors: int = 0
    pageviews: int = 0
    minutes: tuple[int, ...] = (0,) * MINUTES
    pages: Sequence[LiveRow] = ()
    sources: Sequence[LiveRow] = ()
    countries: Sequence[LiveRow] = ()


def live_period(now: datetime) -> Period:
    """Return the 30 whole minutes that end with the present one."""
    end = now.replace(second=0, microsecond=0) + MINUTE
    return Period(end - MINUTES * MINUTE, end)


def live(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> Live:
    """Return the traffic of the 30 minutes of a period, from the hits of one site.

    Filters select sessions, as in every report.
    """
    visits = select_visits(hits, period, filters)
    inside = [recorded for visit in visits for recorded in hits_in_period(visit, period)]
    by_minute: list[set[int]] = [set() for _ in range(MINUTES)]
    for recorded in inside:
        by_minute[(recorded.hit.occurred_at - period.start) // MINUTE].add(recorded.hit.visitor_id)
    views = [recorded for recorded in inside if recorded.hit.type is HitType.PAGEVIEW]
    return Live(
        visitors=len({recorded.hit.visitor_id for recorded in inside}),
        pageviews=len(views),
        minutes=tuple(map(len, by_minute)),
        pages=_rows(Counter(_latest_paths(views).values())),
        sources=_rows(_visitors_by(visits, "referrer_host")),
        countries=_rows(_visitors_by(visits, "country")),
    )


def _latest_paths(views: Iterable[RecordedHit]) -> Mapping[int, str]:
    ordered = sorted(views, key=attrgetter("moment"))
    return {recorded.hit.visitor_id: recorded.hit.pathname or "" for recorded in ordered}


def _visitors_by(visits: Iterable[Visit], attribute: str) -> Mapping[str, int]:
    pairs = {(getattr(visit.session, attribute) or "", visit.session.visitor_id) for visit in visits}
    return Counter(value for value, _ in pairs)


def _rows(counts: Mapping[str, int]) -> list[LiveRow]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [LiveRow(*pair) for pair in ordered[:MOST]]
