"""Breakdowns: what the sessions or hits of a period are made of, value by value."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from attrs import frozen

from footfall.domain.errors import Invalid
from footfall.domain.filter import Filter
from footfall.domain.hit import Hit, HitType, RecordedHit
from footfall.domain.period import Period
from footfall.domain.selection import select, within

# Attributes by which sessions are counted.
OF_SESSIONS = (
    "channel",
    "referrer",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "entry_page",
    "exit_page",
    "country",
    "region",
    "city",
    "browser",
    "operating_system",
    "device_type",
    "language",
    "hostname",
)
# Attributes by which hits of one type are counted.
OF_HITS: Mapping[str, HitType] = MappingProxyType(
    {
        "pathname": HitType.PAGEVIEW,
        "page_title": HitType.PAGEVIEW,
        "event_name": HitType.CUSTOM_EVENT,
    }
)
DIMENSIONS = (*OF_HITS, *OF_SESSIONS)
# Where clicks lead to: not an attribute, but the property `url` of outbound hits.
OUTBOUND = "outbound"


@frozen
class Share:
    """One value with how many sessions or hits have it, and, if asked for, how many visitors those are of."""

    value: str
    count: int
    visitors: int | None = None


def parse_dimension(text: str | None) -> str:
    """Return the dimension of the query parameter `by`.

    Raises:
        Invalid: it is absent, or there is no such dimension; the fault names those that are.

    """
    if text not in DIMENSIONS:
        raise Invalid({"by": [f"must be one of {', '.join(DIMENSIONS)}"]})
    return text


def break_down(
    hits: Iterable[RecordedHit], by: str, period: Period, filters: Iterable[Filter] = ()
) -> list[Share]:
    """Return every value with its count, from the hits of one site: the largest first, ties by the value.

    Sessions are counted by their attributes, pageviews by path and title, custom events by name, outbound
    clicks by address. What is not known is the empty text.
    """
    counts: dict[str, int] = {}
    visitors: dict[str, set[int]] = {}
    for value, visitor_id in _values(hits, by, period, filters):
        counts[value] = counts.get(value, 0) + 1
        visitors.setdefault(value, set()).add(visitor_id)
    shares = [Share(value, count, len(visitors[value])) for value, count in counts.items()]
    return sorted(shares, key=lambda share: (-share.count, share.value))


def _values(
    hits: Iterable[RecordedHit], by: str, period: Period, filters: Iterable[Filter]
) -> Iterable[tuple[str, int]]:
    for visit in select(hits, period, filters):
        visitor_id = visit.session.visitor_id
        if by in OF_SESSIONS:
            yield str(getattr(visit.session, by) or ""), visitor_id
            continue
        kind = HitType.OUTBOUND if by == OUTBOUND else OF_HITS[by]
        for recorded in within(visit, period):
            if recorded.hit.type is kind:
                yield _value_of(recorded.hit, by), visitor_id


def _value_of(hit: Hit, by: str) -> str:
    return str((hit.properties or {}).get("url") or "") if by == OUTBOUND else getattr(hit, by) or ""
