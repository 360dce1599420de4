"""Four weeks of believable traffic of a small tea shop, the same at every call."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mmdb_writer import MMDBWriter
from netaddr import IPSet

from tests.e2e.service import Service

_PAGES = [
    "/",
    "/teas",
    "/teas/assam",
    "/teas/sencha",
    "/teas/darjeeling",
    "/journal",
    "/journal/brewing",
    "/about",
]
_WEIGHTS = [30, 22, 12, 11, 9, 8, 6, 4]
_REFERRERS = [
    ("", 34),
    ("https://www.google.com/", 28),
    ("https://duckduckgo.com/", 8),
    ("https://www.bing.com/", 5),
    ("https://news.ycombinator.com/", 7),
    ("https://www.instagram.com/", 6),
    ("https://chatgpt.com/", 4),
    ("https://teaforum.example/thread/812", 8),
]
_KIT = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
_APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5"
AGENTS = [
    (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_KIT} Safari/537.36", 34),
    (f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) {_APPLE} Mobile/15E148 Safari/604.1", 27),
    (f"Mozilla/5.0 (Linux; Android 15; Pixel 9) {_KIT} Mobile Safari/537.36", 18),
    (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {_APPLE} Safari/605.1.15", 12),
    ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", 9),
]
_LANGUAGES = ["en-GB", "en-US", "de-DE", "fr-FR", "nl-NL"]
_CAMPAIGNS = [
    "?utm_source=newsletter&utm_medium=email&utm_campaign=spring-harvest",
    "?utm_source=instagram&utm_medium=paid&utm_campaign=new-teas",
]

_PLACES = [
    ("GB", "ENG", 24),
    ("DE", "BE", 20),
    ("US", "CA", 17),
    ("NL", "NH", 12),
    ("FR", "IDF", 9),
    ("JP", "13", 7),
    ("IN", "KA", 6),
    ("SE", "AB", 5),
]

_FAILURES = [
    ("TypeError", "Cannot read properties of undefined (reading 'price')", "basket.js", 52, 7),
    ("NetworkError", "Failed to fetch", "checkout.js", 118, 4),
    ("SyntaxError", "Unexpected token '<', \"<!doctype \"... is not valid JSON", "search.js", 9, 3),
    ("RangeError", "Invalid time value", "delivery.js", 31, 2),
]


def events(site_id: int, now: datetime, *, days: int = 28, visitors: int = 60) -> Iterator[dict[str, Any]]:
    """Return events by their time; weekends are quieter, and the shop grows."""
    chance = random.Random(7)
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for day in range(days, -1, -1):
        date = midnight - timedelta(days=day)
        crowd = (
            visitors
            * (1 + (days - day) / days)
            * (0.6 if date.weekday() > 4 else 1)
            * chance.uniform(0.85, 1.15)
        )
        for _ in range(int(crowd)):
            start = date + timedelta(
                hours=min(max(chance.gauss(14, 4.5), 0), 23.5), minutes=chance.uniform(0, 29)
            )
            yield from (
                event for event in _visit(chance, site_id, start) if event["timestamp"] < _written(now)
            )


def _visit(chance: random.Random, site_id: int, at: datetime) -> Iterator[dict[str, Any]]:
    visitor = {
        "site_id": str(site_id),
        "hostname": "tea.example",
        "ip_address": f"198.51.{chance.randrange(100)}.{chance.randrange(250)}",
        "user_agent": _pick(chance, AGENTS),
        "language": chance.choice(_LANGUAGES),
    }
    first = {"referrer": _pick(chance, _REFERRERS)}
    if chance.random() < 0.12:
        first["querystring"] = chance.choice(_CAMPAIGNS)
    page = ""
    for number in range(1 + min(int(chance.expovariate(0.55)), 9)):
        page = chance.choices(_PAGES, _WEIGHTS)[0]
        yield {**visitor, **(first if number == 0 else {}), "pathname": page, "timestamp": _written(at)}
        if chance.random() < 0.35:
            yield {**visitor, **_vitals(chance, page), "timestamp": _written(at)}
        at += timedelta(seconds=chance.expovariate(1 / 50) + 3)
    if page.startswith("/teas/") and chance.random() < 0.4:
        yield {**visitor, "pathname": "/thanks", "page_title": "Thank you", "timestamp": _written(at)}
        grams = chance.choice([100, 250, 500])
        order = json.dumps({"tea": page.rpartition("/")[2], "grams": grams, "price": grams * 0.09})
        yield {
            **visitor,
            "type": "custom_event",
            "event_name": "order",
            "properties": order,
            "timestamp": _written(at),
        }
    elif chance.random() < 0.06:
        yield {
            **visitor,
            "type": "custom_event",
            "event_name": "newsletter",
            "pathname": page,
            "timestamp": _written(at),
        }
    if chance.random() < 0.05:
        yield {**visitor, **_failure(chance, page), "timestamp": _written(at)}
    if page == "/about" and chance.random() < 0.5:
        link = json.dumps(
            {"url": chance.choice(["https://www.fairtrade.example/", "https://maps.example/tea-shop"])}
        )
        yield {**visitor, "type": "outbound", "pathname": page, "properties": link, "timestamp": _written(at)}


def _failure(chance: random.Random, page: str) -> dict[str, Any]:
    name, message, file, line, _ = chance.choices(_FAILURES, [failure[-1] for failure in _FAILURES])[0]
    place = f"https://tea.example/assets/{file}:{line}:14"
    stack = f"{name}: {message}\n    at total ({place})\n    at HTMLButtonElement.<anonymous> ({place})"
    properties = json.dumps({"message": message, "stack": stack, "fileName": place.rsplit(":", 2)[0]})
    return {"type": "error", "event_name": name, "pathname": page, "properties": properties}


def _vitals(chance: random.Random, page: str) -> dict[str, Any]:
    slow = 1.8 if page == "/journal/brewing" else 1
    return {
        "type": "performance",
        "pathname": page,
        "lcp": round(slow * chance.lognormvariate(7.4, 0.35)),
        "cls": round(chance.betavariate(1, 18), 3),
        "inp": round(slow * chance.lognormvariate(4.7, 0.5)),
        "fcp": round(slow * chance.lognormvariate(6.9, 0.3)),
        "ttfb": round(chance.lognormvariate(5.6, 0.4)),
    }


def write_places(path: Path) -> None:
    """Write a location database that knows the addresses of the visitors."""
    writer = MMDBWriter(ip_version=4, database_type="GeoLite2-City")
    network = 0
    for country, region, share in _PLACES:
        ranges = IPSet([f"198.51.{number}.0/24" for number in range(network, network + share)])
        record = {"country": {"iso_code": country}, "subdivisions": [{"iso_code": region}]}
        writer.insert_network(ranges, record)
        network += share
    writer.to_db_file(str(path))


def _pick(chance: random.Random, choices: list[tuple[str, int]]) -> str:
    return chance.choices([text for text, _ in choices], [weight for _, weight in choices])[0]


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fill(service: Service, key: str, site_id: int) -> None:
    """Send the traffic, define goals, and wait until the reports hold all of it."""
    listed = list(events(site_id, datetime.now(UTC) + timedelta(minutes=4), visitors=25))
    for start in range(0, len(listed), 500):
        status, answer = service.send(
            "POST", "/api/track/batch", {"events": listed[start : start + 500]}, key=key
        )
        assert (status, [one for one in answer["results"] if not one["success"]]) == (200, [])
    for name, goal_type, config in (
        ("Order", "event", {"eventName": "order"}),
        ("Tea viewed", "path", {"pathPattern": "/teas/*"}),
        ("Newsletter", "event", {"eventName": "newsletter"}),
    ):
        goal = {"name": name, "goalType": goal_type, "config": config}
        service.send("POST", f"/api/sites/{site_id}/goals", goal, key=key)
    service.settle(str(site_id))
