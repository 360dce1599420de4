"""Believable traffic: what a demonstration shows, the same for the same seed, site and day."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from heapq import merge
from typing import Any

from footfall.domain.campaign import utm
from footfall.domain.channel import classify, foreign_host
from footfall.domain.demonstration_scene import (
    DEVICES,
    ERRORS,
    HOST,
    HOURS,
    LANDINGS,
    NEXT,
    PLACES,
    SOURCES,
    TITLES,
    VISITS_A_DAY,
    WEEKDAYS,
    Device,
    Place,
    Source,
)
from footfall.domain.examples import a_hit
from footfall.domain.hit import Hit, HitType, RecordedHit

_LONGEST_PAUSE = 600
_MOST_A_DAY = 1_000_000


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
    visits = int(VISITS_A_DAY * WEEKDAYS[day.weekday()] * chance.uniform(0.85, 1.15))
    return [_visit(chance, site_id, day) for _ in range(visits)]


def _visit(chance: random.Random, site_id: int, day: datetime) -> list[Hit]:
    # A third of the visits are by one of few who come again and again.
    number = chance.randrange(900) if chance.random() < 1 / 3 else chance.randrange(900, 1 << 40)
    habit = random.Random(f"{site_id} {number}")  # noqa: S311
    place, device = _pick(habit, PLACES), _pick(habit, DEVICES)
    visitor: dict[str, Any] = {
        "site_id": site_id,
        "visitor_id": habit.getrandbits(63),
        "user_id": f"customer-{number}" if number < 120 else None,  # noqa: PLR2004
        "hostname": HOST,
        **_acquired(_pick(chance, SOURCES)),
        **_described(place, device),
    }
    return list(_walk(chance, visitor, device, _begin(chance, place, day)))


def _acquired(source: Source) -> dict[str, Any]:
    campaign, host = utm(source.querystring), foreign_host(source.referrer)
    return {
        "referrer": source.referrer,
        "querystring": source.querystring,
        "channel": str(classify(host, source.querystring, campaign)),
        "utm_source": campaign.source,
        "utm_medium": campaign.medium,
        "utm_campaign": campaign.campaign,
    }


def _described(place: Place, device: Device) -> dict[str, Any]:
    return {
        "country": place.country,
        "region": place.region,
        "city": place.city,
        "latitude": place.latitude,
        "longitude": place.longitude,
        "language": place.language,
        "device_type": device.device_type,
        "operating_system": device.operating_system,
        "operating_system_version": device.operating_system_version,
        "browser": device.browser,
        "browser_version": device.browser_version,
        "screen_width": device.width,
        "screen_height": device.height,
    }


def _begin(chance: random.Random, place: Place, day: datetime) -> datetime:
    [hour] = chance.choices(range(24), HOURS)
    at = timedelta(hours=(hour - place.hours_ahead) % 24, seconds=chance.uniform(0, 3600))
    return day + timedelta(milliseconds=at // timedelta(milliseconds=1))


def _walk(chance: random.Random, visitor: dict[str, Any], device: Device, at: datetime) -> Iterator[Hit]:
    path = _pick(chance, LANDINGS)
    while path:
        page = {**visitor, "pathname": path, "page_title": TITLES[path]}
        yield _hit(page, HitType.PAGEVIEW, at)
        yield from _on_page(chance, page, device, at)
        # What brought the visitor here is in the address of the first page only.
        visitor = {**visitor, "referrer": None, "querystring": None}
        at += timedelta(milliseconds=int(1000 * min(chance.expovariate(1 / 50) + 4, _LONGEST_PAUSE)))
        path = _pick(chance, NEXT[path])


def _on_page(chance: random.Random, page: dict[str, Any], device: Device, at: datetime) -> Iterator[Hit]:
    if chance.random() < 0.5:  # noqa: PLR2004
        yield _hit(page, HitType.PERFORMANCE, at + timedelta(seconds=2), **_vitals(chance, device.slowness))
    if chance.random() < 0.02:  # noqa: PLR2004
        yield _error(chance, page, at + timedelta(milliseconds=2_300))
    if page["pathname"] == "/sign-up" and chance.random() < 0.45:  # noqa: PLR2004
        plan = {"plan": _pick(chance, ((70, "small"), (30, "large"))), "newsletter": chance.random() < 1 / 4}
        yield _hit(
            page, HitType.CUSTOM_EVENT, at + timedelta(seconds=3), event_name="sign up", properties=plan
        )
    if page["pathname"].startswith("/blog/") and chance.random() < 0.12:  # noqa: PLR2004
        link = {"url": "https://partner.example.org/leather", "text": "our tannery", "target": "_blank"}
        yield _hit(page, HitType.OUTBOUND, at + timedelta(seconds=3), properties=link)


def _vitals(chance: random.Random, slowness: float) -> dict[str, float]:
    return {
        "lcp": round(chance.lognormvariate(7.3, 0.4) * slowness, 1),
        "fcp": round(chance.lognormvariate(6.7, 0.4) * slowness, 1),
        "ttfb": round(chance.lognormvariate(5.3, 0.5) * slowness, 1),
        "inp": round(chance.lognormvariate(4.3, 0.6) * slowness, 1),
        "cls": round(chance.expovariate(18), 4),
    }


def _error(chance: random.Random, page: dict[str, Any], at: datetime) -> Hit:
    name, message, file, line = _pick(chance, ERRORS)
    address = f"https://{HOST}/assets/{file}"
    properties = {
        "message": message,
        "stack": f"{name}: {message}\n    at {address}:{line}:17",
        "fileName": address,
        "lineNumber": line,
        "columnNumber": 17,
    }
    return _hit(page, HitType.ERROR, at, event_name=name, properties=properties)


def _hit(page: dict[str, Any], kind: HitType, at: datetime, **more: Any) -> Hit:
    return a_hit(**page, type=kind, occurred_at=at, received_at=at, **more)


def _pick(chance: random.Random, weighted: Sequence[tuple[int, Any]]) -> Any:
    return chance.choices([one for _, one in weighted], [weight for weight, _ in weighted])[0]
