"""Realistic traffic for the demonstration, the same for the same seed, site and day."""

import math
import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from heapq import merge
from typing import Any

from attrs import asdict, frozen
from attrs.filters import exclude

from footfall.domain.examples import a_hit
from footfall.domain.tracking.acquisition.campaign import UTM_FIELDS, parse_utm
from footfall.domain.tracking.acquisition.channel import classify, foreign_host
from footfall.domain.tracking.automation import NO_SIGN
from footfall.domain.tracking.hit import ColorScheme, DeviceType, Hit, HitType, LocatedBy, RecordedHit
from footfall.entrypoints.demo.errors import Faults
from footfall.entrypoints.demo.shop import (
    DEVICES,
    HOST,
    HOURS,
    LANDINGS,
    NEXT,
    ORDER,
    PLACES,
    SHOES,
    SIGN_UP,
    TITLES,
    VISITS_A_DAY,
    WEEKDAYS,
    DemoDevice,
    DemoLocation,
)
from footfall.entrypoints.demo.sources import Sources, VisitSource
from footfall.entrypoints.demo.vitals import Speed

_LONGEST_PAUSE = 600
_MOST_REPETITIONS = 8
_SEASON_DAYS = 84
_MOST_A_DAY = 1_000_000
# The shares of pages that throw an exception, and of exceptions after which a visitor leaves.
_FAILING, _FAILING_ORDERS = 0.03, 0.15
_GIVES_UP = 0.5


@frozen
class _DemoDay:
    day: datetime
    sources: Sources
    faults: Faults


def traffic(site_id: int, *, until: datetime, days: int, seed: int) -> Iterator[RecordedHit]:
    """Yield the hits of the days before an instant, day by day in the order of their times, none of them after it.

    A hit has the same position whenever it is yielded, so that a later instant continues an earlier one.
    """
    last = until.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for number in range(days, -1, -1):
        day = last - timedelta(days=number)
        hits = merge(*_visits(site_id, day, seed), key=lambda hit: hit.occurred_at)
        for position, hit in enumerate(hits, start=day.toordinal() * _MOST_A_DAY):
            if hit.occurred_at < until:
                yield RecordedHit(position, hit)


def _visits(site_id: int, day: datetime, seed: int) -> list[list[Hit]]:
    # Seeded by the day: the day before yesterday is the same whenever it is looked at.
    chance = random.Random(f"{seed} {site_id} {day:%Y-%m-%d}")  # noqa: S311 - no secret depends on it
    season = 1 + 0.14 * math.sin(2 * math.pi * day.toordinal() / _SEASON_DAYS)
    visits = int(VISITS_A_DAY * WEEKDAYS[day.weekday()] * season * chance.uniform(0.9, 1.1))
    stage = _DemoDay(day, Sources(day), Faults(day))
    return [sorted(_visit(chance, site_id, stage), key=lambda hit: hit.occurred_at) for _ in range(visits)]


def _visit(chance: random.Random, site_id: int, stage: _DemoDay) -> list[Hit]:
    # A third of the visits are by one of few who come again and again.
    number = chance.randrange(900) if chance.random() < 1 / 3 else chance.randrange(900, 1 << 40)
    habit = random.Random(f"{site_id} {number}")  # noqa: S311
    place, device = _pick(habit, PLACES), _pick(habit, DEVICES)
    visitor: dict[str, Any] = {
        "site_id": site_id,
        "visitor_id": habit.getrandbits(63),
        "user_id": f"customer-{number}" if number < 120 else None,  # noqa: PLR2004
        "hostname": HOST,
        **_acquired(stage.sources.pick(chance)),
        **_described(place, device),
        "release": stage.faults.release,
    }
    speed = Speed(chance, device, place)
    return list(_walk(chance, visitor, (speed, stage.faults), _begin(chance, place, stage.day)))


def _acquired(source: VisitSource) -> dict[str, Any]:
    campaign, host = parse_utm(source.querystring), foreign_host(source.referrer)
    return {
        "referrer": source.referrer,
        "querystring": source.querystring,
        "channel": str(classify(host, source.querystring, campaign)),
        **{parameter: getattr(campaign, name) for parameter, name in UTM_FIELDS.items()},
    }


@cache
def _described(place: DemoLocation, device: DemoDevice) -> Mapping[str, Any]:
    return {
        **asdict(place, filter=exclude("hours_ahead", "distance")),
        **asdict(device, filter=exclude("slowness")),
        "location_source": LocatedBy.DATABASE,
        "color_scheme": ColorScheme.LIGHT if device.device_type is DeviceType.DESKTOP else ColorScheme.DARK,
        "automation": NO_SIGN,
    }


def _begin(chance: random.Random, place: DemoLocation, day: datetime) -> datetime:
    [hour] = chance.choices(range(24), HOURS)
    at = timedelta(hours=(hour - place.hours_ahead) % 24, seconds=chance.uniform(0, 3600))
    return day + timedelta(milliseconds=at // timedelta(milliseconds=1))


def _walk(
    chance: random.Random, visitor: dict[str, Any], browser: tuple[Speed, Faults], at: datetime
) -> Iterator[Hit]:
    path = _pick(chance, LANDINGS)
    while path:
        page = {**visitor, "pathname": path, "page_title": TITLES[path]}
        yield _hit(page, HitType.PAGEVIEW, at)
        met = yield from _on_page(chance, page, browser, at)
        if met and chance.random() < _GIVES_UP:
            return
        # Only the address of the first page has the origin of the visit.
        visitor = {**visitor, "referrer": None, "querystring": None}
        at += timedelta(milliseconds=int(1000 * min(chance.expovariate(1 / 50) + 4, _LONGEST_PAUSE)))
        path = _pick(chance, NEXT[path])


def _on_page(
    chance: random.Random, page: dict[str, Any], browser: tuple[Speed, Faults], at: datetime
) -> Generator[Hit, None, bool]:
    """Yield what happens on a page after its view, and return whether an exception does."""
    speed, faults = browser
    if chance.random() < 0.5:  # noqa: PLR2004
        yield _hit(page, HitType.PERFORMANCE, at + timedelta(seconds=2), **speed.measure(page["pathname"]))
    fails = chance.random() < (_FAILING_ORDERS if page["pathname"] == "/checkout" else _FAILING)
    error = faults.pick(chance, page["browser"]) if fails else None
    if error:
        yield from _errors(chance, page, error, at + timedelta(milliseconds=2_300))
    if page["pathname"] == "/sign-up" and chance.random() < 0.45:  # noqa: PLR2004
        plan = {"plan": _pick(chance, ((70, "small"), (30, "large"))), "newsletter": chance.random() < 1 / 4}
        yield _hit(page, HitType.CUSTOM_EVENT, at + timedelta(seconds=3), event_name=SIGN_UP, properties=plan)
    if page["pathname"] == "/checkout/thanks":
        model, price = _pick(chance, SHOES)
        order = {"model": model, "total": price * _pick(chance, ((90, 1), (10, 2)))}
        yield _hit(page, HitType.CUSTOM_EVENT, at + timedelta(seconds=1), event_name=ORDER, properties=order)
    if page["pathname"].startswith("/blog/") and chance.random() < 0.12:  # noqa: PLR2004
        link = {"url": "https://partner.example.org/leather", "text": "our tannery", "target": "_blank"}
        yield _hit(page, HitType.OUTBOUND, at + timedelta(seconds=3), properties=link)
    return bool(error)


def _errors(
    chance: random.Random, page: dict[str, Any], error: tuple[str, dict[str, Any]], at: datetime
) -> Iterator[Hit]:
    """Yield an exception, which sometimes happens again and again on the same page."""
    name, properties = error
    for repeated in range(min(int(chance.paretovariate(2.2)), _MOST_REPETITIONS)):
        later = at + timedelta(milliseconds=150 * repeated)
        yield _hit(page, HitType.ERROR, later, event_name=name, properties=properties)


def _hit(page: dict[str, Any], kind: HitType, at: datetime, **more: Any) -> Hit:
    return a_hit(**page, type=kind, occurred_at=at, received_at=at, **more)


def _pick(chance: random.Random, weighted: Sequence[tuple[int, Any]]) -> Any:
    return chance.choices([value for _, value in weighted], [weight for weight, _ in weighted])[0]
